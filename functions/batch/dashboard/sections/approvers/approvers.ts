import { AdminRefusal } from '../../../../../shared/access/administration.ts';
import { logger } from '../../../../../shared/log/logger.ts';
import { portalLinkOf } from '../../../approvals/domain/portal-link.ts';
import { resetSecondFactor } from '../../../approvals/domain/second-factor/enrol.ts';
import { addressOf } from '../../../profiles/domain/approvers.ts';
import { leadTo } from '../../pages/done.ts';
import type { Section, SubmitForm } from '../../visit.ts';
import { readApproverRows } from './approver-rows.ts';
import { approversPage } from './approvers-page.ts';

/** Shows the link of one person. It is a credential, so it is in no address, and the log says who saw it. */
const showLink: SubmitForm = async (visit, _params, form) => {
  const rows = await readApproverRows();
  const address = addressOf(form.text('address'));
  if (!rows.some((row) => row.address === address)) return approversPage(visit, { rows, problem: 'unknown' });
  const link = portalLinkOf(address);
  if (link === undefined) return approversPage(visit, { rows, problem: 'noSecret' });
  logger('batch').info('An operator was shown the portal link of an approver.', {
    by: visit.operator.application,
    address,
  });
  return approversPage(visit, { rows, shown: { address, link } });
};

const resetFactor: SubmitForm = async (visit, _params, form) => {
  try {
    await resetSecondFactor(visit.operator.application, form.text('address'), visit.nowMs);
  } catch (error) {
    if (!(error instanceof AdminRefusal)) throw error;
    return approversPage(visit, { rows: await readApproverRows(), problem: 'noFactor' });
  }
  return leadTo('approvers', 'reset');
};

/** The approvers, their links and their second factors. */
export const approvers: Section = {
  pages: { approvers: async (visit) => approversPage(visit, { rows: await readApproverRows() }) },
  forms: { 'approvers/link': showLink, 'approvers/reset': resetFactor },
};
