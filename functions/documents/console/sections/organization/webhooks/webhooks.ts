import { WebhookRequest } from '../../../../contract/organization/webhooks.ts';
import {
  replayFailedDeliveries,
  replayWebhookDelivery,
  sendWebhookTest,
} from '../../../../domain/webhooks/deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  updateWebhook,
} from '../../../../domain/webhooks/registrations.ts';
import { leadTo } from '../../../pages/member-page.ts';
import { refusalOf, refusalText } from '../../../pages/refusals.ts';
import type { Form, Section } from '../../../visit.ts';
import { deliveriesPage } from './deliveries-page.ts';
import { deliveryPage } from './delivery-page.ts';
import { webhookWords } from './webhook-words.ts';
import { WEBHOOKS, webhookFormPage, webhooksPage } from './webhooks-page.ts';

/** A field that is left empty was not given. */
const given = (text: string): string | undefined => (text === '' ? undefined : text);

const requestIn = (form: Form) => ({
  url: form.text('url'),
  authType: form.text('authType'),
  token: given(form.text('token')),
  secret: given(form.text('secret')),
});

/** Webhooks: added, changed, deleted, tried, and their deliveries sent again. */
export const webhookPages: Section = {
  pages: {
    [WEBHOOKS]: { operation: 'webhooks.read', show: (visit) => webhooksPage(visit) },
    [`${WEBHOOKS}/{id}`]: {
      operation: 'webhooks.change',
      show: async (visit, { id = '' }) =>
        webhookFormPage(visit, (await findWebhook(visit.caller, visit.organization.id, id)).webhook),
    },
    [`${WEBHOOKS}/{id}/deliveries`]: {
      operation: 'webhooks.read',
      show: (visit, { id = '' }) => deliveriesPage(visit, id),
    },
    [`${WEBHOOKS}/{id}/deliveries/{deliveryId}`]: {
      operation: 'webhooks.read',
      show: (visit, { id = '', deliveryId = '' }) => deliveryPage(visit, id, deliveryId),
    },
  },
  forms: {
    [`${WEBHOOKS}/add`]: {
      operation: 'webhooks.change',
      async submit(visit, _params, form) {
        const sent = requestIn(form);
        const read = WebhookRequest.safeParse(sent);
        if (!read.success)
          return webhooksPage(visit, { ...sent, problem: webhookWords(visit.language).wrong });
        const refused = await refusalOf(() => createWebhook(visit.caller, visit.organization.id, read.data));
        if (refused) return webhooksPage(visit, { ...sent, problem: refusalText(refused, visit.language) });
        return leadTo(WEBHOOKS, 'added');
      },
    },
    [`${WEBHOOKS}/{id}/change`]: {
      operation: 'webhooks.change',
      async submit(visit, { id = '' }, form) {
        const { webhook } = await findWebhook(visit.caller, visit.organization.id, id);
        const sent = requestIn(form);
        const read = WebhookRequest.safeParse(sent);
        if (!read.success)
          return webhookFormPage(visit, webhook, { ...sent, problem: webhookWords(visit.language).wrong });
        const refused = await refusalOf(() =>
          updateWebhook(visit.caller, visit.organization.id, id, read.data),
        );
        if (refused)
          return webhookFormPage(visit, webhook, { ...sent, problem: refusalText(refused, visit.language) });
        return leadTo(WEBHOOKS, 'changed');
      },
    },
    [`${WEBHOOKS}/{id}/remove`]: {
      operation: 'webhooks.change',
      async submit({ caller, organization }, { id = '' }) {
        await deleteWebhook(caller, organization.id, id);
        return leadTo(WEBHOOKS, 'removed');
      },
    },
    [`${WEBHOOKS}/{id}/test`]: {
      operation: 'webhooks.change',
      async submit({ caller, organization, nowMs }, { id = '' }) {
        await sendWebhookTest(caller, { orgId: organization.id, webhookId: id }, nowMs);
        return leadTo(`${WEBHOOKS}/${id}/deliveries`, 'tested');
      },
    },
    [`${WEBHOOKS}/{id}/replay`]: {
      operation: 'webhooks.change',
      async submit({ caller, organization }, { id = '' }) {
        await replayFailedDeliveries(caller, { orgId: organization.id, webhookId: id });
        return leadTo(`${WEBHOOKS}/${id}/deliveries`, 'replayed');
      },
    },
    [`${WEBHOOKS}/{id}/replay/{deliveryId}`]: {
      operation: 'webhooks.change',
      async submit({ caller, organization }, { id = '', deliveryId = '' }) {
        await replayWebhookDelivery(caller, { orgId: organization.id, webhookId: id }, deliveryId);
        return leadTo(`${WEBHOOKS}/${id}/deliveries/${deliveryId}`, 'replayed');
      },
    },
  },
};
