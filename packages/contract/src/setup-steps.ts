/** The steps that set up a new instance, for its administrators. */

/** In the order in which the console shows them. `name` and `second_factor` concern the user, the others the instance. */
export const setupSteps = [
  'name',
  'mail_server',
  'sender',
  'second_factor',
  'second_administrator',
  'first_account',
] as const;

export type SetupStep = (typeof setupSteps)[number];

/** Response of `setup-steps`. */
export interface SetupStepsResponse {
  /** True in the first 30 days of the database. */
  readonly is_new: boolean;
  readonly done: readonly SetupStep[];
  /** True if an invitation waits for its acceptance, which adds an administrator. */
  readonly invitation_pending: boolean;
}
