import { translations } from '../../../../shared/ui/translations.ts';

/** The texts of a verification by code. */
export const codeWords = translations({
  label: { en: 'Verification code', 'pt-BR': 'Código de verificação' },
  hint: {
    en: 'It is printed on the evidence page of the document: 20 letters and digits.',
    'pt-BR': 'Está impresso no manifesto de assinaturas do documento: 20 letras e números.',
  },
  check: { en: 'Verify the code', 'pt-BR': 'Conferir o código' },
  looking: { en: 'Looking the code up…', 'pt-BR': 'Procurando o código…' },
  orFile: { en: 'Or verify a signed file', 'pt-BR': 'Ou verifique um arquivo assinado' },

  Pending: { en: 'The document is not complete yet', 'pt-BR': 'O documento ainda não está completo' },
  FlowConcluded: { en: 'The document is complete', 'pt-BR': 'O documento está completo' },
  Concluded: { en: 'The document is complete', 'pt-BR': 'O documento está completo' },
  Refused: { en: 'The document was refused', 'pt-BR': 'O documento foi recusado' },
  Canceled: { en: 'The document was canceled', 'pt-BR': 'O documento foi cancelado' },
  Expired: { en: 'The document has expired', 'pt-BR': 'O documento expirou' },
  notToRely: {
    en: 'Do not rely on it, nor on a copy of it on paper.',
    'pt-BR': 'Não confie nele, nem em uma cópia em papel.',
  },
  notJudged: {
    en: 'The signatures could not be judged here. Download the file, and have it verified.',
    'pt-BR': 'As assinaturas não puderam ser conferidas aqui. Baixe o arquivo e verifique-o.',
  },
  signatures: {
    en: (made: number, all: number) => `${made} of ${all} signatures`,
    'pt-BR': (made: number, all: number) => `${made} de ${all} assinaturas`,
  },
  kindLabel: { en: 'Kind', 'pt-BR': 'Tipo' },
  kind: {
    en: 'Simple electronic signature (Lei 14.063/2020, art. 4, I), without a digital certificate',
    'pt-BR': 'Assinatura eletrônica simples (Lei 14.063/2020, art. 4º, I), sem certificado digital',
  },
  sealed: {
    en: 'Whoever is named right below signed without a certificate. The last signature of the file is the seal of the organization: it keeps the file and the evidences as they are, and is nobody else’s.',
    'pt-BR':
      'Quem aparece logo abaixo assinou sem certificado. A última assinatura do arquivo é o selo da organização: ele mantém o arquivo e as evidências como estão, e não é de mais ninguém.',
  },
  sentBy: { en: (who: string) => `Sent by ${who}`, 'pt-BR': (who: string) => `Enviado por ${who}` },
  createdAt: { en: (time: string) => `Created on ${time}`, 'pt-BR': (time: string) => `Criado em ${time}` },
  compare: {
    en: 'Compare the file with what you have on paper: the signatures are over the file.',
    'pt-BR': 'Compare o arquivo com o que você tem em papel: as assinaturas são do arquivo.',
  },
  download: { en: 'Download the signed file', 'pt-BR': 'Baixar o arquivo assinado' },

  VerificationCodeNotFound: {
    en: 'No document has this code. Compare it with the paper, letter by letter.',
    'pt-BR': 'Nenhum documento tem este código. Compare com o papel, letra por letra.',
  },
  TooManyRequests: {
    en: 'Too many codes at once. Wait a minute and try again.',
    'pt-BR': 'Códigos demais de uma vez. Espere um minuto e tente de novo.',
  },
  lost: {
    en: 'The server could not be reached. Check the connection and try again.',
    'pt-BR': 'Não foi possível alcançar o servidor. Confira a conexão e tente de novo.',
  },
  failed: {
    en: 'Something failed here. Try again in some minutes.',
    'pt-BR': 'Algo falhou aqui. Tente de novo em alguns minutos.',
  },
});
