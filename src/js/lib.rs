//! The npm package: translates between JavaScript and the library's front door, and holds no rule. What crosses is
//! JSON, text and numbers; `index.js` has the interface.

mod desk;
mod position;

use js_sys::{Error, JSON, Reflect};
use serde::Serialize;
use serde_json::json;
use wasm_bindgen::prelude::*;

/// The version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// A value of JavaScript.
fn value(value: &impl Serialize) -> Result<JsValue, JsValue> {
    let text = serde_json::to_string(value).map_err(|error| thrown("FerzError", &error.to_string(), ()))?;
    JSON::parse(&text)
}

/// An error with a name and further members.
fn thrown(name: &str, message: &str, members: impl Serialize) -> JsValue {
    let error = Error::new(message);
    error.set_name(name);
    let members = json!(members);
    for (key, member) in members.as_object().into_iter().flatten() {
        if let Ok(member) = value(member) {
            // A member of a new object can always be set.
            let _ = Reflect::set(&error, &key.as_str().into(), &member);
        }
    }
    error.into()
}
