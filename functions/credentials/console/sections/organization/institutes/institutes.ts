import { SignersRequest } from '../../../../tenants/contract.ts';
import { changeSigners } from '../../../../tenants/domain/institutes.ts';
import { requireInstitute } from '../../../../tenants/domain/organization.ts';
import { leadTo } from '../../../pages/member-page.ts';
import { refusalOf } from '../../../pages/refusals.ts';
import type { Form, Section } from '../../../visit.ts';
import { instituteWords } from './institute-words.ts';
import { INSTITUTES, institutesPage, type SignerFields, signersPage } from './institutes-page.ts';

// More than the contract takes: a form with more rows is not of ours.
const MAX_ROWS = 110;

const FIELDS = ['name', 'cpf', 'email', 'step'] as const;

/** The people of a form. A row that is empty is nobody. */
function signersIn(form: Form): readonly SignerFields[] {
  return Array.from({ length: MAX_ROWS }, (_, at) => {
    const [name = '', cpf = '', email = '', step = ''] = FIELDS.map((field) =>
      form.text(`${field}-${at}`).trim(),
    );
    return { name, cpf, email, step };
  }).filter((signer) => FIELDS.some((field) => signer[field] !== ''));
}

/** Institutes: what they are, and who signs for them. */
export const institutePages: Section = {
  pages: {
    [INSTITUTES]: { operation: 'institutes.read', show: institutesPage },
    [`${INSTITUTES}/{id}`]: {
      operation: 'institutes.change',
      show: async (visit, { id = '' }) => signersPage(visit, await requireInstitute(visit.caller, id)),
    },
  },
  forms: {
    [`${INSTITUTES}/{id}/signers`]: {
      operation: 'institutes.change',
      async submit(visit, { id = '' }, form) {
        const { caller, language } = visit;
        const institute = await requireInstitute(caller, id);
        const words = instituteWords(language);
        const signers = signersIn(form);
        const read = SignersRequest.safeParse({
          signers: signers.map(({ step, ...rest }) => ({
            ...rest,
            step: /^\d+$/.test(step) ? Number(step) : 0,
          })),
        });
        if (!read.success) {
          const wrong = read.error.issues.map(({ path: [, at, field] }) => `${String(field)}-${String(at)}`);
          return signersPage(visit, institute, { signers, wrong, problem: words.wrong });
        }
        const refused = await refusalOf(() => changeSigners(caller, id, read.data.signers));
        if (refused) return signersPage(visit, institute, { signers, problem: words.twice });
        return leadTo(INSTITUTES, 'changed');
      },
    },
  },
};
