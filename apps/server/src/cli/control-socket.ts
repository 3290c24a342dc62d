/**
 * The way in for the command line while the embedded service runs: one request per connection on
 * the socket that is also the directory's lock. Lines of JSON, mode 0600, no network.
 */
import type net from 'node:net';
import readline from 'node:readline';
import * as z from 'zod/mini';
import type { Greeting } from '@lanternrock/postgres/lock';
import { OperationalError } from '@lanternrock/postgres/errors';
import type { Command, Output } from './command.ts';
import { reportError } from './report-error.ts';
import { requireManagedDatabase } from '../database/schema-version.ts';
import type { Service } from '../service.ts';

const requestShape = z.object({
  command: z.string(),
  args: z.readonly(z.array(z.string())),
  folder: z.string(),
  // A command line of an earlier version does not tell it.
  user: z._default(z.string(), ''),
});

type Request = z.infer<typeof requestShape>;

type Reply = Greeting | { readonly line: string } | { readonly problem: string } | { readonly exit: number };

const write = (socket: net.Socket, reply: Reply): boolean => socket.write(`${JSON.stringify(reply)}\n`);

/** @returns answers one connection of the command line; the first line tells the process id. */
export function createControlServer(
  service: Service,
  commands: readonly Command[],
): (socket: net.Socket) => void {
  return (socket) => {
    write(socket, { pid: process.pid });
    readline.createInterface({ input: socket }).once('line', (text) => {
      const end = (exit: number): void => {
        socket.end(`${JSON.stringify({ exit } satisfies Reply)}\n`);
      };
      const request = readRequest(text);
      if (!request) {
        write(socket, { problem: 'The line is not a request of the command line.' });
        end(1);
        return;
      }
      const output: Output = {
        cwd: request.folder,
        osUser: request.user,
        inService: true,
        print: (line) => write(socket, { line }),
        printError: (problem) => write(socket, { problem }),
        isClosed: () => socket.destroyed,
      };
      answer(request, service, commands, output).then(end, (error: unknown) => {
        end(reportError(error, output));
      });
    });
  };
}

/** Null for anything but a request, which another program or a newer version may send. */
function readRequest(text: string): Request | null {
  try {
    const parsed = requestShape.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

async function answer(
  { command: name, args }: Request,
  service: Service,
  commands: readonly Command[],
  output: Output,
): Promise<number> {
  const command = commands.find((candidate) => candidate.name === name);
  if (!command)
    throw new OperationalError(`The running service does not know the command ${name}; restart it first.`);
  if (command.requires === 'current-schema') requireManagedDatabase(service.config);
  return command.run(service, args, output);
}

/** Has a running service run a command. @returns its exit code. */
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
    if ('line' in reply) output.print(reply.line);
    else if ('problem' in reply) output.printError(reply.problem);
    else if ('exit' in reply) return reply.exit;
    // The service hears that the connection ends, and stops as well.
    if (output.isClosed()) return 1;
  }
  output.printError('The service ended before the command did.');
  return 1;
}
