import { redirect } from '../../../../../shared/http/response/answer.ts';
import { cancelBackup } from '../../../backup/domain/end-backup.ts';
import { listBackups } from '../../../backup/domain/list-backups.ts';
import { startBackup } from '../../../backup/domain/start-backup.ts';
import { dashboardPath } from '../../pages/frame.ts';
import type { Section } from '../../visit.ts';
import { backupsPage } from './backups-page.ts';

const donePath = (done: 'started' | 'canceled') => dashboardPath(`backups?done=${done}`);

/** The backups: start, cancel, progress. */
export const backups: Section = {
  pages: { backups: async (visit) => backupsPage(visit, await listBackups()) },
  forms: {
    'backups/start': async ({ operator, nowMs }) => {
      await startBackup(operator.application, nowMs);
      return redirect(donePath('started'), { status: 303 });
    },
    'backups/cancel': async ({ operator, nowMs }) => {
      await cancelBackup(operator.application, nowMs);
      return redirect(donePath('canceled'), { status: 303 });
    },
  },
};
