/** A JSON request body that the client holds open until the test sends it. */
export interface HeldBody {
  readonly stream: ReadableStream;
  /** Resolves when the service waits for the body, that is after its guard. */
  readonly awaited: Promise<void>;
  send(body: object): void;
}

export function heldBody(): HeldBody {
  let wanted = (): void => {};
  let send = (_body: object): void => {};
  const awaited = new Promise<void>((resolve) => (wanted = resolve));
  const sent = new Promise<object>((resolve) => (send = resolve));
  const stream = new ReadableStream(
    {
      pull: async (controller) => {
        wanted();
        controller.enqueue(new TextEncoder().encode(JSON.stringify(await sent)));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, awaited, send: (body) => send(body) };
}
