import type { ShownCertificate } from '../../../ways/contract.ts';
import { translations } from '../../translations.ts';
import { element } from '../element.ts';
import { language } from '../page-language.ts';

const signerWords = translations({
  signAs: {
    en: (holder: string) => `You sign as ${holder}.`,
    'pt-BR': (holder: string) => `Você assina como ${holder}.`,
  },
  signAsCompany: {
    en: (holder: string, company: string) => `You sign as ${holder}, with the certificate of ${company}.`,
    'pt-BR': (holder: string, company: string) =>
      `Você assina como ${holder}, com o certificado de ${company}.`,
  },
  signForCompany: { en: 'You sign for a company', 'pt-BR': 'Você assina por uma empresa' },
  goBack: { en: 'Go back', 'pt-BR': 'Voltar' },
  sign: { en: 'Sign', 'pt-BR': 'Assinar' },
});

type Signer = Pick<ShownCertificate, 'holder' | 'company'>;

/** Who signs, and for which company: many people of a company may hold its certificate. */
export function signerText({ holder, company }: Signer): string {
  const words = signerWords(language);
  if (!company) return words.signAs(holder);
  const named = company.cnpj === '' ? company.name : `${company.name} (CNPJ ${formatCnpj(company.cnpj)})`;
  return words.signAsCompany(holder, named);
}

const formatCnpj = (cnpj: string): string => cnpj.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');

/** Asks whether to sign for a company. The certificate says so only once its file is open. */
export function confirmCompany(signer: Signer): Promise<boolean> {
  const words = signerWords(language);
  const sign = element('button', { type: 'button', className: 'button' }, words.sign);
  const back = element('button', { type: 'button', className: 'button quiet' }, words.goBack);
  const dialog = element(
    'dialog',
    { with: { 'aria-labelledby': 'company-title' } },
    element(
      'div',
      { className: 'form' },
      element('h2', { id: 'company-title' }, words.signForCompany),
      element('p', {}, signerText(signer)),
      element('div', { className: 'choices' }, back, sign),
    ),
  );
  document.querySelector('main')?.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    const close = (isConfirmed: boolean) => {
      resolve(isConfirmed);
      dialog.remove();
    };
    sign.addEventListener('click', () => close(true));
    back.addEventListener('click', () => close(false));
    dialog.addEventListener('close', () => close(false));
  });
}
