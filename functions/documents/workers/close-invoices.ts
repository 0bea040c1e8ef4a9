import { scheduleHandler } from '../../../shared/queue/schedule.ts';
import { closeInvoices } from '../domain/billing/close-invoices.ts';

export const handler = scheduleHandler('documents', 'close-invoices', async ({ logger, now }) => {
  const { closed, failed } = await closeInvoices(now());
  logger.info('invoices closed', { closed, failed: failed.length });
  for (const { organizationId, error } of failed) {
    logger.error('The invoice of an organization was not closed; the next run closes it.', {
      organizationId,
      error,
    });
  }
  if (failed.length > 0) throw new Error(`Organizations without their invoice: ${failed.length}.`);
});
