import { companySignerOf } from '../company.ts';
import type { Identity } from '../open-pkcs12.ts';
import { language } from '../page-language.ts';
import { ActCanceled } from './act-canceled.ts';
import { type ActionForm, find } from './action-form.ts';
import { confirmCompany } from './confirm-company.ts';
import { InputProblem } from './problems.ts';
import { signingWords } from './words.ts';

/** Shows the name of the chosen file beside the button, because the browser's own text may be in another language. */
export function showChosenCertificate(within: ParentNode): void {
  const input = within.querySelector<HTMLInputElement>('#certificate');
  input?.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file) find(within, '.chosen', HTMLElement).textContent = file.name;
  });
}

/**
 * Opens the chosen certificate file with the typed password, signs, and clears the password. Throws InputProblem or
 * Pkcs12Refused before it signs.
 * @example await signWithCertificate(form, (identity, steps) => signDocument({ identity, onStep: (step) => form.showProgress(steps[step]) }));
 */
export async function signWithCertificate(
  form: ActionForm,
  sign: (identity: Identity, steps: ReturnType<typeof stepsOf>) => Promise<void>,
): Promise<void> {
  const identity = await openChosenCertificate(form);
  const company = companySignerOf(identity.certificate);
  if (company && !(await confirmCompany(company))) throw new ActCanceled();
  await sign(identity, stepsOf(identity));
  passwordIn(form).value = '';
}

async function openChosenCertificate(form: ActionForm): Promise<Identity> {
  const words = signingWords(language);
  if (!globalThis.isSecureContext) throw new InputProblem(words.insecure);
  const [file] = find(form.form, '#certificate', HTMLInputElement).files ?? [];
  if (!file) throw new InputProblem(words.chooseFile, 'file');
  const { value: password } = passwordIn(form);
  if (password === '') throw new InputProblem(words.typePassword, 'password');
  form.showProgress(words.opening);
  // A separate chunk, so that the page loads without it.
  const { openPkcs12 } = await import('../open-pkcs12.ts');
  return openPkcs12(file, password);
}

const passwordIn = ({ form }: ActionForm): HTMLInputElement => find(form, '#password', HTMLInputElement);

/** What a page says at each step of a signature with this certificate. */
function stepsOf(identity: Identity) {
  const { preparing, signing, delivering } = signingWords(language);
  return { preparing: preparing(holderOf(identity)), signing, delivering };
}

/** The holder's name. ICP-Brasil appends the holder's number to the common name. */
const holderOf = ({ certificate }: Identity): string => certificate.commonName?.split(':')[0] ?? '…';
