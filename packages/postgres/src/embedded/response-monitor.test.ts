import fc from 'fast-check';
import { serialize } from 'pg-protocol';
import { describe, expect, it } from 'vitest';
import { ResponseMonitor } from './response-monitor.ts';

function message(type: string, content: string | Buffer = ''): Buffer {
  const body = Buffer.from(content);
  const header = Buffer.alloc(5, type);
  header.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

const error = (severity: string, text = 'could not write to file', code = '53100'): Buffer =>
  message('E', `S${severity}\0V${severity}\0C${code}\0M${text}\0\0`);
const ready = message('Z', 'I');
const sync = serialize.sync();

/** Passes the response in parts of the given size. */
function monitor(response: Buffer, request: Buffer = sync, size = response.length): ResponseMonitor {
  const created = new ResponseMonitor(request);
  for (let offset = 0; offset < response.length; offset += size)
    created.push(response.subarray(offset, offset + size));
  return created;
}

describe('the response to a request', () => {
  it.each([
    ['ReadyForQuery', ready, true, null],
    ['an error', Buffer.concat([error('ERROR'), ready]), true, null],
    ['a notice', Buffer.concat([message('N', 'SFATAL\0VFATAL\0\0'), ready]), true, null],
    ['rows that contain an error', Buffer.concat([message('D', error('PANIC')), ready]), true, null],
    ['a message with the text of a severity', Buffer.concat([error('ERROR', 'VPANIC'), ready]), true, null],
    ['nothing', Buffer.alloc(0), false, null],
    ['no ReadyForQuery', message('C', 'INSERT 0 1\0'), false, null],
    ['half a header', ready.subarray(0, 3), false, null],
    ['half a message', Buffer.concat([ready, message('D', 'content').subarray(0, 8)]), false, null],
    ['a message after ReadyForQuery', Buffer.concat([ready, message('C', 'INSERT 0 1\0')]), false, null],
    ['a panic', error('PANIC'), false, 'PANIC: could not write to file'],
    ['a fatal error', error('FATAL'), false, 'FATAL: could not write to file'],
    ['an I/O error', Buffer.concat([error('ERROR', 'read', '58030'), ready]), true, 'ERROR: read'],
    ['a missing permission', Buffer.concat([error('ERROR', 'denied', '42501'), ready]), true, null],
    [
      'a file without permission',
      Buffer.concat([error('ERROR', 'could not open "f": Permission denied', '42501'), ready]),
      true,
      'ERROR: could not open "f": Permission denied',
    ],
    [
      'a panic that PGlite ends',
      Buffer.concat([error('PANIC'), ready]),
      true,
      'PANIC: could not write to file',
    ],
  ])('with %s', (_name, response, isComplete, failure) => {
    for (const size of [1, 3, response.length + 1]) {
      const { isComplete: complete, failure: reason } = monitor(response, sync, size);
      expect([complete, reason]).toEqual([isComplete, failure]);
    }
  });

  it('needs no ReadyForQuery after a flush', () => {
    const parse = serialize.parse({ text: 'select 1' });
    expect(monitor(message('1'), Buffer.concat([parse, serialize.flush()])).isComplete).toBe(true);
    for (const request of [
      Buffer.concat([parse, sync]),
      serialize.query('H\0\0\0'),
      serialize.query('select 1'),
    ])
      expect(monitor(message('1'), request).isComplete).toBe(false);
  });

  it('is read alike in parts of any size', () => {
    const messages = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }).map((content) => message('D', Buffer.from(content))),
        fc.constantFrom(ready, error('ERROR'), error('PANIC'), message('C', 'SELECT 1\0'), message('n')),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(messages, fc.integer({ min: 1, max: 50 }), fc.nat({ max: 60 }), (parts, size, cut) => {
        const response = Buffer.concat(parts).subarray(0, -cut || undefined);
        const whole = monitor(response);
        const split = monitor(response, sync, size);
        expect([split.isComplete, split.failure]).toEqual([whole.isComplete, whole.failure]);
      }),
      { numRuns: 200 },
    );
  });
});
