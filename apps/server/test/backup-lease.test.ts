/** The lease by which one of several replicas writes a backup. */
import { expect, it } from 'vitest';
import { eachEngine, openTestDatabase } from '@lanternrock/testing/engines';
import { claimBackup, extendLease, finishBackup, readBackupState } from '../src/backup/backup-state.ts';

eachEngine('the lease of a scheduled backup', (engine) => {
  it(
    'extends the lease, and discards the result of a replica that has lost it',
    { tags: ['OPS-24'] },
    async () => {
      const { database, dispose } = await openTestDatabase(engine);
      expect(await claimBackup(database, '0 * * * *', new Date('2027-01-01T02:30:00Z'))).toBeNull();
      const now = new Date('2027-01-01T03:00:00Z');
      const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
      const claim = await claimBackup(database, '0 * * * *', now);
      if (!claim) throw new Error('not claimed');
      expect(await extendLease(database, claim.leaseId, after(100))).toBe(true);
      expect(await claimBackup(database, '0 * * * *', after(200))).toBeNull();
      const next = await claimBackup(database, '0 * * * *', after(230));
      expect(next?.tries).toBe(2);
      expect(await extendLease(database, claim.leaseId, after(231))).toBe(false);
      const before = await readBackupState(database);
      const result = await database.transaction((tx) =>
        finishBackup(tx, claim, { problem: 'late' }, after(232)),
      );
      expect(result).toBeNull();
      expect(await readBackupState(database)).toEqual(before);
      await dispose();
    },
  );
});
