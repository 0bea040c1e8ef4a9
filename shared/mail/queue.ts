import { sending } from '../queue/outbox.ts';
import type { ServiceName } from '../settings/names.ts';
import type { Write } from '../store/write.ts';
import type { MailValues } from './settings.ts';

/** The queue of a service's mail. It is its own: a mail server that hangs delays nothing else. */
export const MAIL_QUEUE = 'mail';

/** Whether the service has a mail server. */
export const hasMailServer = (settings: MailValues): boolean => settings['Mail:Smtp:Server'] !== undefined;

/**
 * The outbox entry of something that people are to be told of, for the commit that brings it about; none where no mail is
 * sent. It is one for all of them, who may be hundreds: a transaction has a hundred writes.
 * @example await commit([...writes, ...announcing('batch', settings, { jobId }, jobId)]);
 */
export const announcing = (
  service: ServiceName,
  settings: MailValues,
  body: object,
  name: string,
  delaySeconds?: number,
): readonly Write[] =>
  hasMailServer(settings)
    ? [sending({ service, queue: MAIL_QUEUE, body, id: `mail:${name}`, delaySeconds })]
    : [];
