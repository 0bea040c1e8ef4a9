import { requireInstitute } from '../../../../tenants/domain/organization.ts';
import { SetInstituteIntegration, SetSubscriptionIntegration } from '../../../../webhooks/contract.ts';
import { setIntegration } from '../../../../webhooks/domain/configure.ts';
import { leadTo } from '../../../pages/member-page.ts';
import { refusalOf, refusalText } from '../../../pages/refusals.ts';
import type { Form, Section, Visit } from '../../../visit.ts';
import { webhookWords } from './webhook-words.ts';
import { WEBHOOKS, type WebhookOwner, webhookFormPage, webhooksPage } from './webhooks-page.ts';

async function ownerOf({ caller, organization }: Visit, id: string): Promise<WebhookOwner> {
  if (id === organization.id) return { ...organization, isInstitute: false };
  return { ...(await requireInstitute(caller, id)), isInstitute: true };
}

/** A field that is left empty was not given. */
const given = (text: string): string | null => (text === '' ? null : text);

const requestIn = (form: Form, { isInstitute }: WebhookOwner) => ({
  enabled: form.has('enabled'),
  url: given(form.text('url')),
  authType: given(form.text('authType')),
  token: given(form.text('token')),
  shouldUseSubscriptionWebhookSettings: isInstitute && form.has('shared'),
});

/** Webhooks of the organization and of its institutes. */
export const webhookPages: Section = {
  pages: {
    [WEBHOOKS]: { operation: 'webhooks.read', show: webhooksPage },
    [`${WEBHOOKS}/{id}`]: {
      operation: 'webhooks.change',
      show: async (visit, { id = '' }) => webhookFormPage(visit, await ownerOf(visit, id)),
    },
  },
  forms: {
    [`${WEBHOOKS}/{id}/change`]: {
      operation: 'webhooks.change',
      async submit(visit, { id = '' }, form) {
        const owner = await ownerOf(visit, id);
        const sent = requestIn(form, owner);
        const again = (problem: string) => webhookFormPage(visit, owner, { sent, problem });
        const read = (owner.isInstitute ? SetInstituteIntegration : SetSubscriptionIntegration).safeParse(
          sent,
        );
        const words = webhookWords(visit.language);
        if (!read.success) return again(words.wrong);
        const refused = await refusalOf(() => setIntegration(owner.id, read.data));
        if (!refused) return leadTo(WEBHOOKS, 'changed');
        return again(refused.code === 'InvalidFields' ? words.wrong : refusalText(refused, visit.language));
      },
    },
  },
};
