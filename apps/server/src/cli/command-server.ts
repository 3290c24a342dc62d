/**
 * Executes commands in the running service, which receives them through its control socket. One request per connection,
 * as JSON lines. The files of a command stay with the client process, see `remote-files.ts`.
 */
import type net from 'node:net';
import readline from 'node:readline';
import * as z from 'zod/mini';
import { OperationalError } from '@lanternrock/postgres/errors';
import type { Command, CommandIO, Invocation } from './command.ts';
import { createFileServer, createRemoteFiles, fileResultShape, type FileCall } from './remote-files.ts';
import { whenDrained } from './when-drained.ts';
import { reportError } from './report-error.ts';
import { commandProtocol } from '../database/control-socket.ts';
import { requireManagedDatabase } from '../database/schema-version.ts';
import type { Service } from '../service.ts';

const requestShape = z.object({
  command: z.string(),
  args: z.readonly(z.array(z.string())),
  user: z.string(),
  protocol: z.number(),
});

type Request = z.infer<typeof requestShape>;

type Reply = { readonly line: string } | { readonly problem: string } | { readonly exit: number } | FileCall;

/** The first line of a connection, from the control socket. */
type Greeting = { readonly pid: number; readonly protocol?: number };

const write = (socket: net.Socket, reply: Reply): boolean => socket.write(`${JSON.stringify(reply)}\n`);

/** Creates the handler of a connection to the control socket. */
export function createCommandServer(
  service: Service,
  commands: readonly Command[],
): (socket: net.Socket) => void {
  return (socket) => {
    const lines = readline.createInterface({ input: socket });
    // It repeats the errors of the socket, and a disconnect of the client is not an error.
    lines.on('error', () => {});
    lines.once('line', (text) => {
      const end = (exit: number): void => {
        socket.end(`${JSON.stringify({ exit } satisfies Reply)}\n`);
      };
      const request = tryParse(requestShape, text);
      if (request?.protocol !== commandProtocol) {
        write(socket, {
          problem: request
            ? 'The command line and the running service have different versions. Restart the service.'
            : 'The service received an invalid command request.',
        });
        end(1);
        return;
      }
      const files = createRemoteFiles((call) => write(socket, call));
      lines.on('line', (line) => {
        const message = tryParse(fileResultShape, line);
        if (message) files.receive(message);
      });
      socket.once('close', () => files.disconnect());
      const io: CommandIO = {
        files,
        osUser: request.user,
        inService: true,
        print: (line) => write(socket, { line }),
        printError: (problem) => write(socket, { problem }),
        drained: () => whenDrained(socket),
        isClosed: () => socket.destroyed,
      };
      runRequest(request, service, commands, io).then(end, (error: unknown) => {
        end(reportError(error, io));
      });
    });
  };
}

/** Returns null if the line is invalid, for example from another program or version. */
function tryParse<Shape extends z.ZodMiniType>(shape: Shape, text: string): z.infer<Shape> | null {
  try {
    const parsed = shape.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

const needsManagedDatabase: ReadonlySet<Invocation['requires']> = new Set([
  'current-schema',
  'service',
  'service-settings',
]);

async function runRequest(
  { command: name, args }: Request,
  service: Service,
  commands: readonly Command[],
  io: CommandIO,
): Promise<number> {
  const command = commands.find((candidate) => candidate.name === name);
  if (!command)
    throw new OperationalError(
      `The running service does not support the command ${name}. Restart the service.`,
    );
  const invocation = command.parse(args);
  if (needsManagedDatabase.has(invocation.requires)) requireManagedDatabase(service.config);
  return invocation.run(service, io);
}

function parseReply(text: string): Reply | Greeting | null {
  try {
    return JSON.parse(text) as Reply | Greeting;
  } catch {
    return null;
  }
}

const disconnectCodes: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Runs a command in the running service.
 *
 * @param writableFiles names of the files to write
 * @returns the exit code
 */
export async function sendCommand(
  socket: net.Socket,
  command: string,
  args: readonly string[],
  io: CommandIO,
  writableFiles: readonly string[] = [],
): Promise<number> {
  const files = createFileServer(io.files, args, writableFiles);
  // A file that is read can be a terminal or a pipe that delivers nothing.
  const closed = new Promise<null>((resolve) => socket.once('close', () => resolve(null)));
  try {
    for await (const text of readline.createInterface({ input: socket })) {
      const reply = parseReply(text);
      // The service stopped while it wrote the line.
      if (reply === null) break;
      if ('pid' in reply) {
        if (reply.protocol !== commandProtocol) {
          io.printError(
            'The command line and the running service have different versions. Restart the service.',
          );
          return 1;
        }
        const request = { command, args, user: io.osUser, protocol: commandProtocol };
        socket.write(`${JSON.stringify(request satisfies Request)}\n`);
      } else if ('line' in reply) {
        io.print(reply.line);
        await io.drained();
      } else if ('file' in reply) {
        const result = await Promise.race([files.execute(reply), closed]);
        if (result) socket.write(`${JSON.stringify(result)}\n`);
      } else if ('problem' in reply) io.printError(reply.problem);
      else return reply.exit;
      // The service detects the closed connection and stops the command.
      if (io.isClosed()) return 1;
    }
  } catch (error) {
    if (!disconnectCodes.has((error as NodeJS.ErrnoException).code)) throw error;
  } finally {
    await files.close();
    socket.destroy();
  }
  io.printError('The service stopped before the command was complete.');
  return 1;
}
