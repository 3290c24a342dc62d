/** The most frequent passwords of leaked lists; about 49,000, in lower case. */
import { dictionary } from '@zxcvbn-ts/language-common';

export const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common']);
