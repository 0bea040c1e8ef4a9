import { logger } from '../../../../../shared/log/logger.ts';
import { listFolders } from '../../../folders/domain/list-folders.ts';
import { rescan } from '../../../folders/domain/rescan.ts';
import { leadTo } from '../../pages/done.ts';
import type { Section, SubmitForm } from '../../visit.ts';
import { foldersPage } from './folders-page.ts';

/** Scans one folder, or all where the form names none. */
const rescanFolders: SubmitForm = async ({ deadlineAtMs }, _params, form) => {
  const folder = form.text('folder') || undefined;
  const { totals } = await rescan({ folder }, { deadlineAtMs, logger: logger('batch') }, Date.now);
  return leadTo('folders', 'rescanned', totals);
};

/** The input folders: whether they are watched, and what went wrong. */
export const folders: Section = {
  pages: { folders: async (visit) => foldersPage(visit, await listFolders()) },
  forms: { 'folders/rescan': rescanFolders },
};
