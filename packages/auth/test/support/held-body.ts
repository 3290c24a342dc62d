/** A JSON request body that the client holds open until the test sends it. */
export interface HeldBody {
  readonly stream: ReadableStream;
  /** Resolves when the service waits for the body, that is after its guard. */
  readonly reading: Promise<void>;
  send(body: object): void;
}

export function heldBody(): HeldBody {
  let onRead = (): void => {};
  let send = (_body: object): void => {};
  const reading = new Promise<void>((resolve) => (onRead = resolve));
  const sent = new Promise<object>((resolve) => (send = resolve));
  const stream = new ReadableStream(
    {
      pull: async (controller) => {
        onRead();
        controller.enqueue(new TextEncoder().encode(JSON.stringify(await sent)));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, reading, send: (body) => send(body) };
}
