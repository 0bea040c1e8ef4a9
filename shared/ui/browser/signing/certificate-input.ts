import type { Language } from '../../languages.ts';
import type { Identity } from '../open-pkcs12.ts';
import { type ActionForm, find } from './acting-form.ts';
import { InputProblem } from './problems.ts';
import { signingWords } from './words.ts';

/** The name of the file that was chosen, beside the button: the browser's own words may be of another language. */
export function showChosenCertificate(within: ParentNode): void {
  const input = within.querySelector<HTMLInputElement>('#certificate');
  input?.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file) find(within, '.chosen', HTMLElement).textContent = file.name;
  });
}

/** Opens the certificate file that was chosen, with the password that was typed. Throws Unfinished or Pkcs12Refused. */
export async function openChosenCertificate(form: ActionForm, language: Language): Promise<Identity> {
  const words = signingWords(language);
  if (!globalThis.isSecureContext) throw new InputProblem(words.insecure);
  const [file] = find(form.form, '#certificate', HTMLInputElement).files ?? [];
  if (!file) throw new InputProblem(words.chooseFile, 'file');
  const { value: password } = passwordIn(form);
  if (password === '') throw new InputProblem(words.typePassword, 'password');
  form.showProgress(words.opening);
  // A chunk of its own: nobody waits for it to read a page.
  const { openPkcs12 } = await import('../open-pkcs12.ts');
  return openPkcs12(file, password);
}

/** Forgets the password once it has served. */
export function forgetPassword(form: ActionForm): void {
  passwordIn(form).value = '';
}

const passwordIn = ({ form }: ActionForm): HTMLInputElement => find(form, '#password', HTMLInputElement);

/** Whose certificate it is. ICP-Brasil writes the number of a holder after the name. */
export const holderOf = ({ certificate }: Identity): string => certificate.commonName?.split(':')[0] ?? '…';
