//! L12: an editor's desk over the Language Server Protocol: findings as one types, the board at a ply, legal plies,
//! fixes, other styles.

mod document;
mod lines;
mod records;

use document::{Document, Finding};
use ferz::Desk;
use ferz::notation::Style;
use ferz::text::Span;
use lines::Text;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _, PublishDiagnostics,
};
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentSymbolRequest, FoldingRangeRequest, Formatting, HoverRequest,
    Request as _,
};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOptions, CodeActionParams, CodeActionProviderCapability,
    CompletionOptions, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DocumentChanges, Hover, HoverContents, HoverProviderCapability, MarkupContent, MarkupKind, OneOf,
    OptionalVersionedTextDocumentIdentifier, PublishDiagnosticsParams, Range, ServerCapabilities,
    TextDocumentEdit, TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind, TextEdit,
    Uri, WorkspaceEdit,
};
use records::Records;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;

/// Why the conversation with an editor ended otherwise than by its wish.
#[derive(Debug, thiserror::Error)]
#[error("the editor broke the protocol: {0}")]
pub struct Broken(String);

/// Styles that a record may be rewritten in, besides its own and that of its game.
const STYLES: [Style; 4] = [Style::San, Style::Lan, Style::Figurine, Style::Coord];

/// Fixes that a finding offers at most.
const FIXES_MAX: usize = 5;

/// Talks with an editor over standard input and output until it ends.
///
/// # Errors
/// If the editor does not keep to the protocol.
pub fn run(desk: Desk) -> Result<(), Broken> {
    let (connection, threads) = Connection::stdio();
    let served = serve(desk, &connection);
    // The threads end when the connection does.
    drop(connection);
    served?;
    threads.join().map_err(|error| Broken(error.to_string()))
}

fn serve(desk: Desk, connection: &Connection) -> Result<(), Broken> {
    let broken = |error: lsp_server::ProtocolError| Broken(error.to_string());
    let capabilities = serde_json::to_value(capabilities()).map_err(|error| Broken(error.to_string()))?;
    let information = serde_json::json!({
        "capabilities": capabilities,
        "serverInfo": { "name": "ferz", "version": env!("CARGO_PKG_VERSION") },
    });
    let silent =
        |_| Broken("it sent no `initialize`; an editor starts this command (`ferz lsp --help`)".to_owned());
    let (id, _) = connection.initialize_start().map_err(silent)?;
    connection.initialize_finish(id, information).map_err(broken)?;
    let mut editor = Editor { desk, open: HashMap::new(), stale: Vec::new() };
    loop {
        // While someone types, only the last text is judged.
        let message = match connection.receiver.try_recv() {
            Ok(message) => message,
            Err(_) => {
                for found in editor.findings() {
                    let found = Notification::new(PublishDiagnostics::METHOD.to_owned(), found);
                    send(connection, Message::Notification(found));
                }
                match connection.receiver.recv() {
                    Ok(message) => message,
                    Err(_) => return Ok(()),
                }
            }
        };
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request).map_err(broken)? {
                    return Ok(());
                }
                send(connection, Message::Response(editor.answer(request)));
            }
            Message::Notification(notification) => editor.note(notification),
            Message::Response(_) => {}
        }
    }
}

fn send(connection: &Connection, message: Message) {
    // An editor that is gone reads nothing; the next message of its shows that it is.
    let _ = connection.sender.send(message);
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::INCREMENTAL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec![" ".to_owned(), ".".to_owned()]),
            ..CompletionOptions::default()
        }),
        document_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(lsp_types::FoldingRangeProviderCapability::Simple(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, CodeActionKind::REFACTOR_REWRITE]),
            ..CodeActionOptions::default()
        })),
        ..ServerCapabilities::default()
    }
}

/// An editor with its open files.
struct Editor {
    desk: Desk,
    open: HashMap<Uri, Document>,
    /// Files whose findings the editor does not know yet.
    stale: Vec<Uri>,
}

impl Editor {
    /// Takes note of what happened to a file.
    fn note(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                let Ok(DidOpenTextDocumentParams { text_document: opened }) = serde_json::from_value(params)
                else {
                    return;
                };
                let document =
                    Document::new(&opened.language_id, opened.uri.as_str(), opened.version, opened.text);
                self.is_stale(&opened.uri);
                self.open.insert(opened.uri, document);
            }
            DidChangeTextDocument::METHOD => {
                let Ok(changed) = serde_json::from_value::<DidChangeTextDocumentParams>(params) else {
                    return;
                };
                let Some(document) = self.open.get_mut(&changed.text_document.uri) else { return };
                for change in changed.content_changes {
                    match change.range {
                        Some(range) => document.text.replace(range, &change.text),
                        None => document.text = Text::new(change.text),
                    }
                }
                document.has_changed(changed.text_document.version);
                self.is_stale(&changed.text_document.uri);
            }
            DidCloseTextDocument::METHOD => {
                let Ok(DidCloseTextDocumentParams { text_document: closed }) = serde_json::from_value(params)
                else {
                    return;
                };
                self.open.remove(&closed.uri);
                self.is_stale(&closed.uri);
            }
            _ => {}
        }
    }

    fn is_stale(&mut self, uri: &Uri) {
        if !self.stale.contains(uri) {
            self.stale.push(uri.clone());
        }
    }

    /// The findings that the editor does not know yet; none for a file that was closed.
    fn findings(&mut self) -> Vec<PublishDiagnosticsParams> {
        let stale = std::mem::take(&mut self.stale);
        let found = stale.into_iter().map(|uri| match self.open.get_mut(&uri) {
            None => PublishDiagnosticsParams::new(uri, Vec::new(), None),
            Some(document) => {
                let version = Some(document.version);
                let found = document.found(&self.desk).iter().map(|finding| finding.diagnostic.clone());
                PublishDiagnosticsParams::new(uri, found.collect(), version)
            }
        });
        found.collect()
    }

    /// The answer to a request.
    fn answer(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        match method.as_str() {
            HoverRequest::METHOD => answered(id, params, |at: lsp_types::HoverParams| {
                self.hover(&at.text_document_position_params)
            }),
            Completion::METHOD => answered(id, params, |at: lsp_types::CompletionParams| {
                self.completions(&at.text_document_position)
            }),
            CodeActionRequest::METHOD => answered(id, params, |asked: CodeActionParams| self.actions(&asked)),
            DocumentSymbolRequest::METHOD => {
                answered(id, params, |asked: lsp_types::DocumentSymbolParams| {
                    Some(self.records(&asked.text_document.uri)?.1.symbols())
                })
            }
            FoldingRangeRequest::METHOD => answered(id, params, |asked: lsp_types::FoldingRangeParams| {
                Some(self.records(&asked.text_document.uri)?.1.folds())
            }),
            Formatting::METHOD => answered(id, params, |asked: lsp_types::DocumentFormattingParams| {
                let (text, records) = self.records(&asked.text_document.uri)?;
                let edit = |(written, span): (String, Span)| TextEdit::new(text.range(span), written);
                Some(records.formatted(&self.desk).into_iter().map(edit).collect::<Vec<_>>())
            }),
            _ => {
                let message = format!("{method} is not supported");
                Response::new_err(id, ErrorCode::MethodNotFound as i32, message)
            }
        }
    }

    /// The records of an open file, and its text.
    fn records(&self, uri: &Uri) -> Option<(&Text, Records<'_>)> {
        let document = self.open.get(uri)?;
        Some((&document.text, document.records()?))
    }

    fn hover(&self, at: &TextDocumentPositionParams) -> Option<Hover> {
        let (text, records) = self.records(&at.text_document.uri)?;
        let (value, span) = records.hover(&self.desk, text.byte(at.position))?;
        Some(Hover {
            contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }),
            range: Some(text.range(span)),
        })
    }

    fn completions(&self, at: &TextDocumentPositionParams) -> Option<Vec<lsp_types::CompletionItem>> {
        let (text, records) = self.records(&at.text_document.uri)?;
        Some(records.completions(&self.desk, text.byte(at.position)))
    }

    /// Fixes of the findings in a range, and the record there in other styles.
    fn actions(&mut self, asked: &CodeActionParams) -> Option<Vec<CodeAction>> {
        let uri = &asked.text_document.uri;
        let document = self.open.get_mut(uri)?;
        let version = document.version;
        let edit = |range: Range, text: String| WorkspaceEdit {
            document_changes: Some(DocumentChanges::Edits(vec![TextDocumentEdit {
                text_document: OptionalVersionedTextDocumentIdentifier {
                    uri: uri.clone(),
                    version: Some(version),
                },
                edits: vec![OneOf::Left(TextEdit::new(range, text))],
            }])),
            ..WorkspaceEdit::default()
        };
        let mut actions = Vec::new();
        let here = |finding: &&Finding| {
            let Range { start, end } = finding.diagnostic.range;
            start <= asked.range.end && asked.range.start <= end
        };
        for finding in document.found(&self.desk).iter().filter(here) {
            for (index, text) in finding.instead.iter().take(FIXES_MAX).enumerate() {
                actions.push(CodeAction {
                    title: format!("Write {text}"),
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![finding.diagnostic.clone()]),
                    edit: Some(edit(finding.diagnostic.range, text.clone())),
                    is_preferred: Some(finding.is_spelling && index == 0),
                    ..CodeAction::default()
                });
            }
        }
        let document = &*document;
        if let Some(records) = document.records() {
            let byte = document.text.byte(asked.range.start);
            for style in STYLES {
                if let Some((text, span)) = records.converted(&self.desk, byte, style) {
                    actions.push(CodeAction {
                        title: format!("Write this game in {}", style.name()),
                        kind: Some(CodeActionKind::REFACTOR_REWRITE),
                        edit: Some(edit(document.text.range(span), text)),
                        ..CodeAction::default()
                    });
                }
            }
        }
        Some(actions)
    }
}

/// The response to a request whose parameters can be read.
fn answered<P: DeserializeOwned, T: Serialize>(
    id: RequestId,
    params: Value,
    work: impl FnOnce(P) -> Option<T>,
) -> Response {
    match serde_json::from_value(params) {
        Ok(params) => Response::new_ok(id, work(params)),
        Err(error) => Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string()),
    }
}
