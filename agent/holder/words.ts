import { translations } from '../../shared/ui/translations.ts';

/** The texts of the holder's page. */
export const words = translations({
  title: { en: 'Sinete agent', 'pt-BR': 'Agente Sinete' },
  asks: {
    en: (application: string) => `${application} asks to sign with your certificate`,
    'pt-BR': (application: string) => `${application} pede para assinar com o seu certificado`,
  },
  asksMore: {
    en: (server: string) =>
      `The request came through ${server}. If you did not start it, decline. Your PIN stays on this machine: it is given to your token or file, and to nobody else.`,
    'pt-BR': (server: string) =>
      `O pedido veio por ${server}. Se não foi você quem o iniciou, recuse. O seu PIN fica nesta máquina: ele é entregue ao seu token ou arquivo, e a mais ninguém.`,
  },
  asksSignature: {
    en: (requester: string) => `${requester} asks you to sign`,
    'pt-BR': (requester: string) => `${requester} pede a sua assinatura`,
  },
  compareCodes: {
    en: 'The page where you sign shows the same code beside each document. If it shows another, decline.',
    'pt-BR':
      'A página em que você assina mostra o mesmo código ao lado de cada documento. Se for outro, recuse.',
  },
  asksSignatureMore: {
    en: (application: string, server: string) =>
      `The request came by ${application}, through ${server}. If you did not start it, decline. Your PIN stays on this machine, and signs these documents alone.`,
    'pt-BR': (application: string, server: string) =>
      `O pedido veio por ${application}, através de ${server}. Se não foi você quem o iniciou, recuse. O seu PIN fica nesta máquina e assina só estes documentos.`,
  },
  firstUse: {
    en: 'Your PIN is needed once to present your certificate',
    'pt-BR': 'O seu PIN é necessário uma vez para apresentar o certificado',
  },
  firstUseMore: {
    en: (server: string) =>
      `This agent shows ${server} that it can sign with your certificate. The PIN stays on this machine.`,
    'pt-BR': (server: string) =>
      `Este agente mostra a ${server} que pode assinar com o seu certificado. O PIN fica nesta máquina.`,
  },
  certificate: { en: 'Certificate', 'pt-BR': 'Certificado' },
  store: { en: 'Kept in', 'pt-BR': 'Guardado em' },
  until: { en: 'Answer until', 'pt-BR': 'Responda até' },
  pin: { en: 'PIN', 'pt-BR': 'PIN' },
  confirm: { en: 'Confirm', 'pt-BR': 'Confirmar' },
  decline: { en: 'Decline', 'pt-BR': 'Recusar' },
  nothing: { en: 'Nothing is asked of you now', 'pt-BR': 'Nada está sendo pedido agora' },
  nothingMore: {
    en: 'Keep this page open: requests appear here.',
    'pt-BR': 'Deixe esta página aberta: os pedidos aparecem aqui.',
  },
  inUse: {
    en: 'A PIN is in use: applications that give the same one may sign.',
    'pt-BR': 'Há um PIN em uso: aplicações que informarem o mesmo PIN podem assinar.',
  },
  notInUse: {
    en: 'No PIN is in use. You may type it now, so that nobody waits for it later.',
    'pt-BR': 'Nenhum PIN está em uso. Você pode digitá-lo agora, para que ninguém espere por ele depois.',
  },
  unlock: { en: 'Type the PIN now', 'pt-BR': 'Digitar o PIN agora' },
  forget: { en: 'Forget the PIN', 'pt-BR': 'Esquecer o PIN' },
  accepted: { en: 'The PIN was accepted.', 'pt-BR': 'O PIN foi aceito.' },
  rejected: {
    en: 'The PIN was not accepted. Check it before you try again: too many wrong ones lock a token.',
    'pt-BR': 'O PIN não foi aceito. Confira antes de tentar de novo: erros demais bloqueiam um token.',
  },
  resting: {
    en: (time: string) => `Three PINs in a row were not accepted. Try again after ${time}.`,
    'pt-BR': (time: string) => `Três PINs seguidos não foram aceitos. Tente novamente depois de ${time}.`,
  },
  locked: {
    en: 'The token is locked: too many wrong PINs. Unlock it with the PUK that came with it.',
    'pt-BR': 'O token está bloqueado: PINs errados demais. Desbloqueie-o com o PUK que veio com ele.',
  },
  unusable: {
    en: 'The token or file could not be used. The agent’s terminal says why.',
    'pt-BR': 'Não foi possível usar o token ou arquivo. O terminal do agente diz por quê.',
  },
  lastTry: {
    en: 'This is the last try: one more wrong PIN locks the token.',
    'pt-BR': 'Esta é a última tentativa: mais um PIN errado bloqueia o token.',
  },
  declined: { en: 'You declined. Nothing was signed.', 'pt-BR': 'Você recusou. Nada foi assinado.' },
  forgotten: { en: 'The PIN was forgotten.', 'pt-BR': 'O PIN foi esquecido.' },
  over: {
    en: 'Nobody waits for this answer any more.',
    'pt-BR': 'Ninguém mais espera por esta resposta.',
  },
});

export type Words = ReturnType<typeof words>;
