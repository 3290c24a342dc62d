/** Request and response of the function `similar-accounts`. */
import * as z from 'zod/mini';
import { accountLimits } from './accounts.ts';
import {
  limitedDecomposition,
  maxCodePoints,
  noControlCharacters,
  noDirectionControls,
} from './text-checks.ts';

export const similarAccountsSchema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      noControlCharacters,
      noDirectionControls,
      maxCodePoints(accountLimits.name, 'Name must be less than 200 characters'),
      limitedDecomposition(accountLimits.name),
    ),
});

export interface SimilarAccount {
  readonly id: string;
  readonly name: string;
  readonly city: string | null;
}

export interface SimilarAccountsResponse {
  readonly accounts: readonly SimilarAccount[];
}
