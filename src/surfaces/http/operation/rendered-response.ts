// An answer in the form in which it is written to the connection.

export interface RenderedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** One `Set-Cookie` header each. */
  readonly cookies?: readonly string[];
  readonly text: string | null;
  /** In place of the text, where it is too long to be held in memory as a whole. */
  readonly chunks?: AsyncIterable<string | Uint8Array>;
}
