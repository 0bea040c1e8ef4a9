import { html } from 'hono/html';
import { formatCount, formatSize } from '../../../../../shared/ui/numbers.ts';
import { factList } from '../../../../../shared/ui/parts.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { usageOfMonth } from '../../../domain/billing/organization-usage.ts';
import { memberPage } from '../../pages/member-page.ts';
import type { Section } from '../../visit.ts';
import { applicationPages } from './applications/applications.ts';
import { general } from './general/general.ts';
import { members } from './members.ts';
import { tabs, tabTitle } from './tabs.ts';
import { webhookPages } from './webhooks/webhooks.ts';

const usageWords = translations({
  month: { en: 'Month', 'pt-BR': 'Mês' },
  documents: { en: 'Documents', 'pt-BR': 'Documentos' },
  signatures: { en: 'Signatures', 'pt-BR': 'Assinaturas' },
  approvals: { en: 'Approvals', 'pt-BR': 'Aprovações' },
  stored: { en: 'Files stored now', 'pt-BR': 'Arquivos guardados agora' },
});

/** What the organization has used in this month. */
const usagePages: Section = {
  pages: {
    'organization/usage': {
      operation: 'usage.read',
      show: async (visit) => {
        const { language, caller, organization, nowMs } = visit;
        const words = usageWords(language);
        const usage = await usageOfMonth(caller, organization.id, nowMs);
        return memberPage(visit, {
          title: tabTitle(visit, 'usage'),
          current: 'organization',
          body: html`${tabs(visit, 'usage')}
<section class="card">${factList([
            [words.month, usage.month],
            [words.documents, formatCount(language, usage.documents)],
            [words.signatures, formatCount(language, usage.signatures)],
            [words.approvals, formatCount(language, usage.approvals)],
            [words.stored, formatSize(language, usage.storedBytes)],
          ])}</section>`,
        });
      },
    },
  },
  forms: {},
};

const PARTS = [general, members, webhookPages, applicationPages, usagePages];

/** The organization: what it is, who works for it, and the programs that do. */
export const organization: Section = {
  pages: Object.assign({}, ...PARTS.map(({ pages }) => pages)),
  forms: Object.assign({}, ...PARTS.map(({ forms }) => forms)),
};
