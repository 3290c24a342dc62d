/**
 * Verifies one password repeatedly, as the hash process of the service does. Argument: seconds. Prints the
 * number of verifications.
 */
import { hashSync, verifySync } from '@node-rs/argon2';

const password = 'lantern on the pier 7';
// The parameters of the service: argon2id, 19 MiB, 2 passes.
const hash = hashSync(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
const end = performance.now() + Number(process.argv[2]) * 1000;
let count = 0;
for (; performance.now() < end; count += 1) verifySync(hash, password);
console.log(count);
