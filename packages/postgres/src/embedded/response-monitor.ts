/**
 * Reads the response of the embedded engine while it arrives. PGlite reports neither a fatal error nor an aborted
 * response to its caller, and the engine must not be used after either.
 */
import { clientMessages, serverMessages } from './wire-messages.ts';

const { errorResponse, readyForQuery } = serverMessages;

const headerBytes = 5;

/** An error has fields of a few hundred bytes. A longer one is read up to this size, which contains the severity. */
const maxErrorBytes = 16_384;

export class ResponseMonitor {
  readonly #expectsReady: boolean;
  readonly #header = Buffer.alloc(headerBytes);
  #headerLength = 0;
  /** Bytes of the current message that have not arrived. */
  #missing = 0;
  #error: Buffer[] = [];
  #errorBytes = 0;
  #failure: string | null = null;

  /** @param request complete messages, of which the last one is a Query, a Sync or a Flush */
  constructor(request: Uint8Array) {
    // A Query ends with a zero byte; Sync and Flush have no content. The response to a Flush has no ReadyForQuery.
    this.#expectsReady = request.at(-1) === 0 || request.at(-headerBytes) !== clientMessages.flush;
  }

  /** Severity and message of the first error after which the engine cannot continue, or null. */
  get failure(): string | null {
    return this.#failure;
  }

  /** True if the response ends as the request requires. */
  get isComplete(): boolean {
    if (this.#missing > 0 || (this.#headerLength > 0 && this.#headerLength < headerBytes)) return false;
    return !this.#expectsReady || this.#header[0] === readyForQuery;
  }

  /** Reads the next bytes. Skips the content of all messages but errors. */
  push(bytes: Uint8Array): void {
    let offset = 0;
    while (offset < bytes.length) {
      if (this.#missing === 0) {
        offset = this.#readHeader(bytes, offset);
        continue;
      }
      const end = Math.min(offset + this.#missing, bytes.length);
      if (this.#header[0] === errorResponse) this.#addError(bytes.slice(offset, end));
      this.#missing -= end - offset;
      offset = end;
      if (this.#missing === 0 && this.#header[0] === errorResponse) this.#readError();
    }
  }

  /** Returns the offset of the first byte after the header, or the length if the header is incomplete. */
  #readHeader(bytes: Uint8Array, start: number): number {
    let offset = start;
    if (this.#headerLength === headerBytes) this.#headerLength = 0;
    while (this.#headerLength < headerBytes && offset < bytes.length) {
      this.#header[this.#headerLength] = bytes[offset] ?? 0;
      this.#headerLength += 1;
      offset += 1;
    }
    // The length includes its own four bytes.
    if (this.#headerLength === headerBytes) this.#missing = Math.max(0, this.#header.readUInt32BE(1) - 4);
    return offset;
  }

  #addError(part: Uint8Array): void {
    if (this.#errorBytes < maxErrorBytes) this.#error.push(Buffer.from(part));
    this.#errorBytes += part.length;
  }

  #readError(): void {
    const fields = new Map<string, string>();
    for (const field of Buffer.concat(this.#error).toString().split('\0'))
      if (field !== '') fields.set(field.charAt(0), field.slice(1));
    this.#error = [];
    this.#errorBytes = 0;
    const [severity, code, text] = ['V', 'C', 'M'].map((name) => fields.get(name) ?? '');
    if (endsEngine(severity, code, text)) this.#failure ??= `${severity}: ${text}`;
  }
}

/**
 * A Postgres server ends its process after FATAL and PANIC. After an I/O error of the disk (58030), a restart reads the
 * write-ahead log again. The engine itself checks the mode of a file, and Postgres reports a missing permission as one of
 * the client (42501).
 */
const endsEngine = (severity = '', code = '', text = ''): boolean =>
  severity === 'FATAL' ||
  severity === 'PANIC' ||
  code === '58030' ||
  (code === '42501' && /^could not .+: Permission denied$/s.test(text));
