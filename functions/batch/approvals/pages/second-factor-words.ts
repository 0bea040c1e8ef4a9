import { translations } from '../../../../shared/ui/translations.ts';

export const secondFactorWords = translations({
  title: { en: 'Your second factor', 'pt-BR': 'Seu segundo fator' },
  disabled: {
    en: 'No second factor is needed here. You decide without a code.',
    'pt-BR': 'Aqui não é preciso um segundo fator. Você decide sem código.',
  },
  why: {
    en: 'To decide, you also give a code of six digits from an app on your phone. Set it up once; it takes a minute.',
    'pt-BR':
      'Para decidir, você também informa um código de seis dígitos de um aplicativo no seu celular. Configure uma vez; leva um minuto.',
  },
  anyApp: {
    en: 'Any authenticator app will do, for example Google Authenticator, Microsoft Authenticator or Aegis.',
    'pt-BR':
      'Qualquer aplicativo autenticador serve, por exemplo Google Authenticator, Microsoft Authenticator ou Aegis.',
  },
  begin: { en: 'Set up', 'pt-BR': 'Configurar' },
  scan: { en: 'Scan this code with the app', 'pt-BR': 'Leia este código com o aplicativo' },
  qrCode: {
    en: 'QR code with the key below, for an authenticator app',
    'pt-BR': 'Código QR com a chave abaixo, para um aplicativo autenticador',
  },
  orType: { en: 'Or type this key into the app:', 'pt-BR': 'Ou digite esta chave no aplicativo:' },
  onPhone: { en: 'On this phone: open the app', 'pt-BR': 'Neste celular: abrir o aplicativo' },
  keepSecret: {
    en: 'Whoever knows the key can make your codes. It is not shown again after you have confirmed it.',
    'pt-BR':
      'Quem conhece a chave pode gerar os seus códigos. Ela não é mostrada de novo depois de confirmada.',
  },
  confirm: { en: 'Then confirm with a code', 'pt-BR': 'Depois confirme com um código' },
  code: { en: 'Code of six digits', 'pt-BR': 'Código de seis dígitos' },
  send: { en: 'Confirm', 'pt-BR': 'Confirmar' },
  again: { en: 'Start again with another key', 'pt-BR': 'Recomeçar com outra chave' },
  since: { en: 'Set up on', 'pt-BR': 'Configurado em' },
  everyDecision: {
    en: 'Every decision asks for a code of the app.',
    'pt-BR': 'Cada decisão pede um código do aplicativo.',
  },
  window: {
    en: (minutes: number) =>
      `A decision asks for a code of the app, unless you gave one in the last ${minutes === 1 ? 'minute' : `${minutes} minutes`}.`,
    'pt-BR': (minutes: number) =>
      `Uma decisão pede um código do aplicativo, a não ser que você tenha informado um ${minutes === 1 ? 'no último minuto' : `nos últimos ${minutes} minutos`}.`,
  },
  once: {
    en: 'A code works once: wait for the next one, which the app shows within 30 seconds. After five wrong codes in a row, codes are refused for five minutes.',
    'pt-BR':
      'Um código vale uma vez: espere pelo próximo, que o aplicativo mostra em até 30 segundos. Depois de cinco códigos errados seguidos, os códigos são recusados por cinco minutos.',
  },
  reset: {
    en: 'Another phone, or you did not set this up yourself? Ask an operator of this service to reset your second factor, and set it up again.',
    'pt-BR':
      'Outro celular, ou não foi você quem configurou? Peça a um operador deste serviço que redefina o seu segundo fator e configure-o de novo.',
  },
  toJob: { en: 'Back to the file', 'pt-BR': 'Voltar ao arquivo' },
  done: {
    en: 'Your second factor is set up. You can decide now.',
    'pt-BR': 'Seu segundo fator está configurado. Agora você pode decidir.',
  },
  lockedUntil: {
    en: (time: string) => ` Codes are accepted again from ${time} on.`,
    'pt-BR': (time: string) => ` Códigos voltam a ser aceitos a partir de ${time}.`,
  },
  toApprovals: { en: 'To your approvals', 'pt-BR': 'Ir para as suas aprovações' },
  problemCode: { en: 'Code', 'pt-BR': 'Código' },
});
