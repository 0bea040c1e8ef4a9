import type { ShownCertificate } from '../../../../ways/contract.ts';
import { formatDay } from '../../../time.ts';
import { element } from '../../element.ts';
import { language } from '../../page-language.ts';
import { signerText } from '../confirm-company.ts';
import { wayWords } from './words.ts';

/** A certificate that is about to sign. */
export const certificateCard = (certificate: ShownCertificate): HTMLElement =>
  element(
    'div',
    { className: 'note certificate' },
    element('p', {}, element('strong', {}, signerText(certificate))),
    element(
      'p',
      { className: 'faint' },
      wayWords(language).issuedBy(
        certificate.issuer,
        formatDay(language, Date.parse(certificate.validUntil)),
      ),
    ),
  );
