/**
 * Preload script: makes the file operations of the embedded database fail. It reads the fault from the file `fault` in
 * the data directory, so that a test can change it while the service runs; see `file-faults.ts`.
 */
import fs from 'node:fs';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';

const original = { ...fs };
const errors = {
  ENOSPC: [-28, 'no space left on device'],
  EIO: [-5, 'i/o error'],
  EROFS: [-30, 'read-only file system'],
  EACCES: [-13, 'permission denied'],
  ENOTCONN: [-107, 'socket is not connected'],
  EUCLEAN: [-117, 'structure needs cleaning'],
};

/** Operations that fail, by kind of fault. */
const operations = {
  'no-space': ['write', 'create', 'truncate'],
  'short-write': ['write'],
  'io-error': ['write', 'sync'],
  'failed-sync': ['sync'],
  'unknown-error': ['write'],
  'read-only': ['write', 'create', 'open', 'truncate', 'change'],
  'no-permission': ['write', 'create', 'open', 'truncate', 'change'],
  'not-connected': ['write', 'create', 'open', 'truncate', 'change', 'sync'],
};
const codes = {
  'no-space': 'ENOSPC',
  'short-write': 'ENOSPC',
  'io-error': 'EIO',
  'failed-sync': 'EIO',
  'unknown-error': 'EUCLEAN',
  'read-only': 'EROFS',
  'no-permission': 'EACCES',
  'not-connected': 'ENOTCONN',
};

const opened = new Map();
let text = '';
let count = 0;

/** Returns the fault if this operation on this file must fail. The first `skip` operations succeed. */
function faultFor(file, operation) {
  const [, dataDir, name] = /^(.*)\/database(?:\.copy)?\/(.*)$/.exec(file) ?? [];
  if (dataDir === undefined) return null;
  let now = '';
  try {
    now = original.readFileSync(path.join(dataDir, 'fault'), 'utf8');
  } catch {
    return null;
  }
  // Before the return, so that the same fault counts from zero when it starts again.
  if (now !== text) [text, count] = [now, 0];
  if (now === '') return null;
  const fault = JSON.parse(now);
  if (!operations[fault.kind].includes(operation) || !name.startsWith(fault.pathPrefix)) return null;
  count += 1;
  return count > fault.skip ? { ...fault, isFirst: count === fault.skip + 1 } : null;
}

function fail(fault, syscall) {
  const code = codes[fault.kind];
  const [errno, message] = errors[code];
  // Node names unknown errors like this.
  const name = code === 'EUCLEAN' ? 'Unknown system error -117' : code;
  throw Object.assign(new Error(`${name}: ${message}, ${syscall}`), { code: name, errno, syscall });
}

const guard = (file, operation, syscall) => {
  const fault = faultFor(file, operation);
  if (fault) fail(fault, syscall);
};

if (!isMainThread) {
  const { O_CREAT, O_RDWR, O_WRONLY } = fs.constants;
  fs.openSync = (file, flags, ...rest) => {
    if ((flags & O_CREAT) !== 0) guard(file, 'create', 'open');
    else if ((flags & (O_RDWR | O_WRONLY)) !== 0) guard(file, 'open', 'open');
    const descriptor = original.openSync(file, flags, ...rest);
    opened.set(descriptor, String(file));
    return descriptor;
  };
  fs.writeSync = (descriptor, buffer, offset, length, position) => {
    const fault = faultFor(opened.get(descriptor) ?? '', 'write');
    if (!fault) return original.writeSync(descriptor, buffer, offset, length, position);
    // The next write has no space, as on a disk that becomes full.
    if (fault.kind !== 'short-write' || !fault.isFirst) return fail(fault, 'write');
    return original.writeSync(descriptor, buffer, offset, Math.floor(length / 2), position);
  };
  fs.fsyncSync = (descriptor) => {
    guard(opened.get(descriptor) ?? '', 'sync', 'fsync');
    original.fsyncSync(descriptor);
  };
  fs.ftruncateSync = (descriptor, length) => {
    guard(opened.get(descriptor) ?? '', 'truncate', 'ftruncate');
    original.ftruncateSync(descriptor, length);
  };
  for (const [name, operation] of [
    ['truncateSync', 'truncate'],
    ['writeFileSync', 'create'],
    ['mkdirSync', 'create'],
    ['renameSync', 'change'],
    ['unlinkSync', 'change'],
  ])
    fs[name] = (file, ...rest) => {
      if (typeof file === 'string') guard(file, operation, name.replace('Sync', ''));
      return original[name](file, ...rest);
    };
}
