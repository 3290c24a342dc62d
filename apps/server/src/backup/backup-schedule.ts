/** The times of BACKUP_SCHEDULE, in UTC. */
import { Cron } from 'croner';

/**
 * Returns the first time of the schedule after `after`.
 *
 * @param schedule a valid BACKUP_SCHEDULE
 */
export function findNextTime(schedule: string, after: Date): Date {
  const next = new Cron(schedule, { timezone: 'UTC', mode: '5-part' }).nextRun(after);
  // The setting is rejected if its schedule has no time.
  if (next === null) throw new Error('The schedule of the backups has no further time');
  return next;
}
