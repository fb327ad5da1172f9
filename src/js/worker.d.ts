import type { Claim, Diagnostic, ReadOptions, Records, Report, Subject, Verdict } from "./index.js";

/** The calls of a worker: those of the package, with promises. A registry cannot be given. */
export interface JudgingWorker {
  validate(text: Records, options?: Omit<ReadOptions, "registry"> & { strict?: boolean }): Promise<Report[]>;
  convert(
    text: Records,
    options: { to: string; language?: string; fromLanguage?: string; variant?: string; style?: string },
  ): Promise<{ records: string; losses: Diagnostic[] }>;
  adjudicate(
    subject: Records | Subject,
    claim: Claim,
    options?: Omit<ReadOptions, "registry"> & { game?: number; policy?: string },
  ): Promise<Verdict>;
  checkCertificate(
    certificate: string | object,
    options?: { record?: Records; full?: boolean },
  ): Promise<{ shows: string; restsOn: string[] }>;
  terminate(): void | Promise<number>;
}

/** Starts a worker. Its calls are answered in their order. */
export function startWorker(): Promise<JudgingWorker>;
