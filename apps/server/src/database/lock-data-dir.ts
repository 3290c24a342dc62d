/**
 * Makes this process the owner of the data directory. Ownership has two files: the lock `service.lock` prevents a second
 * owner, and the control socket `service.sock` receives the commands of other processes.
 */
import type { Logger } from 'pino';
import { directoryInUse, lockDirectory } from '@lanternrock/postgres/lock';
import { findService, openControlSocket, type ControlSocket } from './control-socket.ts';

/**
 * Locks the directory, then opens the control socket.
 *
 * @returns `release` closes the socket, then releases the lock
 * @throws OperationalError if another process owns the directory
 */
export async function lockDataDir(
  dataDir: string,
  log: Logger,
): Promise<{ control: ControlSocket; release: () => Promise<void> }> {
  // Checked first, because a service whose lock was deleted exits if another process acquires it.
  const service = await findService(dataDir);
  if (service !== null) throw directoryInUse(dataDir, service);
  const lock = await lockDirectory(dataDir, {
    onLost: () => {
      log.fatal('another process owns DATA_DIR; exiting to prevent data loss');
      process.exit(1);
    },
    onError: (error) => log.warn({ err: error }, 'the lock of DATA_DIR cannot be renewed'),
  });
  try {
    const control = await openControlSocket(dataDir, (error) =>
      log.warn({ err: error }, 'the control socket in DATA_DIR cannot be recreated'),
    );
    const release = async (): Promise<void> => {
      await control.close();
      lock.release();
    };
    return { control, release };
  } catch (error) {
    lock.release();
    throw error;
  }
}
