import { sendDueMessages } from '../../../shared/queue/due.ts';
import { scheduled } from '../../../shared/queue/scheduled.ts';

export const handler = scheduled('pki', 'send-due', sendDueMessages('pki'));
