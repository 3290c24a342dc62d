/**
 * Executes commands in the running service, which receives them through its control socket. One request per connection,
 * as JSON lines.
 */
import type net from 'node:net';
import readline from 'node:readline';
import * as z from 'zod/mini';
import { OperationalError } from '@lanternrock/postgres/errors';
import type { Command, Output } from './command.ts';
import { whenDrained } from './when-drained.ts';
import { reportError } from './report-error.ts';
import { requireManagedDatabase } from '../database/schema-version.ts';
import type { Service } from '../service.ts';

const requestShape = z.object({
  command: z.string(),
  args: z.readonly(z.array(z.string())),
  folder: z.string(),
  // Earlier versions of the command line do not send this field.
  user: z._default(z.string(), ''),
});

type Request = z.infer<typeof requestShape>;

type Reply = { readonly line: string } | { readonly problem: string } | { readonly exit: number };

const write = (socket: net.Socket, reply: Reply): boolean => socket.write(`${JSON.stringify(reply)}\n`);

/** Creates the handler of a connection to the control socket. */
export function createCommandServer(
  service: Service,
  commands: readonly Command[],
): (socket: net.Socket) => void {
  return (socket) => {
    readline.createInterface({ input: socket }).once('line', (text) => {
      const end = (exit: number): void => {
        socket.end(`${JSON.stringify({ exit } satisfies Reply)}\n`);
      };
      const request = tryParseRequest(text);
      if (!request) {
        write(socket, { problem: 'The service received an invalid command request.' });
        end(1);
        return;
      }
      const output: Output = {
        cwd: request.folder,
        osUser: request.user,
        inService: true,
        print: (line) => write(socket, { line }),
        printError: (problem) => write(socket, { problem }),
        drained: () => whenDrained(socket),
        isClosed: () => socket.destroyed,
      };
      runRequest(request, service, commands, output).then(end, (error: unknown) => {
        end(reportError(error, output));
      });
    });
  };
}

/** Returns null if the line is no valid request, for example from another program or a newer version. */
function tryParseRequest(text: string): Request | null {
  try {
    const parsed = requestShape.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

async function runRequest(
  { command: name, args }: Request,
  service: Service,
  commands: readonly Command[],
  output: Output,
): Promise<number> {
  const command = commands.find((candidate) => candidate.name === name);
  if (!command)
    throw new OperationalError(
      `The running service does not support the command ${name}. Restart the service.`,
    );
  if (command.requires === 'current-schema') requireManagedDatabase(service.config);
  return command.run(service, args, output);
}

/**
 * Runs a command in the running service.
 *
 * @returns the exit code
 */
export async function sendCommand(
  socket: net.Socket,
  command: string,
  args: readonly string[],
  output: Output,
): Promise<number> {
  const { cwd, osUser } = output;
  socket.write(`${JSON.stringify({ command, args, folder: cwd, user: osUser } satisfies Request)}\n`);
  for await (const text of readline.createInterface({ input: socket })) {
    const reply = JSON.parse(text) as Reply;
    if ('line' in reply) {
      output.print(reply.line);
      await output.drained();
    } else if ('problem' in reply) output.printError(reply.problem);
    else if ('exit' in reply) return reply.exit;
    // The service detects the closed connection and stops the command.
    if (output.isClosed()) return 1;
  }
  output.printError('The service stopped before the command was complete.');
  return 1;
}
