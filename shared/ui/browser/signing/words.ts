import type { ValidationItemType } from '../../../pki/findings/validation-results.ts';
import { translations } from '../../translations.ts';

/** Texts of a page during a signature with the person's own certificate. */
export const signingWords = translations({
  opening: { en: 'Opening your certificate…', 'pt-BR': 'Abrindo seu certificado…' },
  preparing: {
    en: (holder: string) => `Checking the certificate of ${holder}…`,
    'pt-BR': (holder: string) => `Verificando o certificado de ${holder}…`,
  },
  signing: { en: 'Signing in this browser…', 'pt-BR': 'Assinando neste navegador…' },
  delivering: { en: 'Delivering your signature…', 'pt-BR': 'Enviando sua assinatura…' },
  chooseFile: {
    en: 'Choose your certificate file (.p12 or .pfx) first.',
    'pt-BR': 'Escolha primeiro o arquivo do seu certificado (.p12 ou .pfx).',
  },
  typePassword: {
    en: 'Type the password of the certificate file.',
    'pt-BR': 'Digite a senha do arquivo do certificado.',
  },
  insecure: {
    en: 'The browser signs only over a secure connection. Open the link with https://.',
    'pt-BR': 'O navegador só assina em uma conexão segura. Abra o link com https://.',
  },
});

/** Problems, with the next step for the person. */
export const problemWords = translations({
  wrongPassword: {
    en: 'The password does not open this certificate file. Check it and try again.',
    'pt-BR': 'A senha não abre este arquivo de certificado. Confira e tente de novo.',
  },
  unreadable: {
    en: 'This file is not a certificate file, or it is damaged. Choose a .p12 or .pfx file.',
    'pt-BR': 'Este arquivo não é um certificado ou está danificado. Escolha um arquivo .p12 ou .pfx.',
  },
  tooLarge: {
    en: 'This file is too large to be a certificate file. Choose a .p12 or .pfx file.',
    'pt-BR': 'Este arquivo é grande demais para ser um certificado. Escolha um arquivo .p12 ou .pfx.',
  },
  unsupported: {
    en: 'This certificate file is protected in a way, or holds a kind of key, that browsers cannot use. Export it again with AES-256.',
    'pt-BR':
      'Este arquivo usa uma proteção ou um tipo de chave que os navegadores não suportam. Exporte-o de novo com AES-256.',
  },
  noKey: {
    en: 'The file has a certificate but not its private key. Export it again with the key.',
    'pt-BR': 'O arquivo tem o certificado, mas não a chave privada. Exporte-o de novo com a chave.',
  },
  noCertificate: {
    en: 'The file has a key but not the certificate that belongs to it. Export it again with the certificate.',
    'pt-BR': 'O arquivo tem a chave, mas não o certificado dela. Exporte-o de novo com o certificado.',
  },
  notADocument: {
    en: 'Nothing was signed: what the server asked to sign is not a signature of a document. Tell whoever sent you the link.',
    'pt-BR':
      'Nada foi assinado: o que o servidor pediu para assinar não é a assinatura de um documento. Avise quem enviou o link.',
  },
  certificateRefused: {
    en: 'This certificate cannot sign the document:',
    'pt-BR': 'Este certificado não pode assinar o documento:',
  },
  lost: {
    en: 'The connection was lost. Check your internet and try again: nothing is recorded twice.',
    'pt-BR': 'A conexão caiu. Verifique sua internet e tente de novo: nada é registrado duas vezes.',
  },
  notLoaded: {
    en: 'A part of this page could not be loaded. Check your internet and reload the page.',
    'pt-BR': 'Uma parte desta página não pôde ser carregada. Verifique sua internet e recarregue a página.',
  },
  unexpected: {
    en: (code: string) => `Something went wrong (${code}). Wait a minute and try again.`,
    'pt-BR': (code: string) => `Algo deu errado (${code}). Espere um minuto e tente de novo.`,
  },
});

/** Refusals of every service that a person signs at, by what happened. */
export const REFUSALS = {
  certificateUnreadable: {
    en: 'The server could not read the certificate of this file. Choose another file.',
    'pt-BR': 'O servidor não conseguiu ler o certificado deste arquivo. Escolha outro arquivo.',
  },
  signatureInvalid: {
    en: 'The signature does not match the certificate. Sign again, or choose the file again.',
    'pt-BR': 'A assinatura não corresponde ao certificado. Assine de novo ou escolha o arquivo outra vez.',
  },
  tooMany: {
    en: 'Too many attempts. Wait a minute and try again.',
    'pt-BR': 'Tentativas demais. Espere um minuto e tente de novo.',
  },
} as const;

/** Reasons why a certificate may not sign. For other types the page shows the server's message. */
export const certificateWords = translations({
  CertificateExpired: { en: 'It has expired.', 'pt-BR': 'Está vencido.' },
  CertificateNotYetValid: { en: 'It is not valid yet.', 'pt-BR': 'Ainda não é válido.' },
  CertificateRevoked: { en: 'It was revoked.', 'pt-BR': 'Foi revogado.' },
  CertificateRevocationStatusUnknown: {
    en: 'Whether it was revoked could not be found out. Try again in some minutes.',
    'pt-BR': 'Não foi possível verificar se foi revogado. Tente de novo em alguns minutos.',
  },
  CertificateChainRootNotTrusted: {
    en: 'It comes from an authority that is not trusted here.',
    'pt-BR': 'Foi emitido por uma autoridade que não é aceita aqui.',
  },
  UnknownRootTrustStatus: {
    en: 'It comes from an authority that is not known here.',
    'pt-BR': 'Foi emitido por uma autoridade que não é conhecida aqui.',
  },
  CertificateIssuerNotFound: {
    en: 'The certificate of its issuer was not found.',
    'pt-BR': 'O certificado da autoridade emissora não foi encontrado.',
  },
  CertificateIssuerInvalid: {
    en: 'The authority that issued it is not valid.',
    'pt-BR': 'A autoridade que o emitiu não é válida.',
  },
  InvalidCertificateSignature: {
    en: 'It was not issued by whom it names.',
    'pt-BR': 'Não foi emitido por quem ele diz.',
  },
  InvalidKeyUsage: { en: 'It is not meant for signing.', 'pt-BR': 'Não serve para assinar.' },
  AlgorithmNotAllowed: {
    en: 'It uses a key or an algorithm that is no longer accepted.',
    'pt-BR': 'Usa uma chave ou um algoritmo que não é mais aceito.',
  },
} satisfies Partial<Record<ValidationItemType, unknown>>);
