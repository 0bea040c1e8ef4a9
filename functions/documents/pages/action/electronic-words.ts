import { translations } from '../../../../shared/ui/translations.ts';

/** The texts of the form by which a person signs without a certificate. */
export const electronicWords = translations({
  title: { en: 'Sign electronically', 'pt-BR': 'Assinar eletronicamente' },
  kind: {
    en: 'This is a simple electronic signature (Lei 14.063/2020, art. 4, I). It is made without a digital certificate of yours.',
    'pt-BR':
      'Esta é uma assinatura eletrônica simples (Lei 14.063/2020, art. 4º, I). Ela é feita sem certificado digital seu.',
  },
  recorded: {
    en: 'The time, your address on the internet, your browser and the way you identified yourself are recorded with it.',
    'pt-BR':
      'O horário, seu endereço na internet, seu navegador e a forma de autenticação são registrados com ela.',
  },
  sendsTo: {
    en: (places: string) => `Before you sign, we send a code to ${places}.`,
    'pt-BR': (places: string) => `Antes de assinar, enviamos um código para ${places}.`,
  },
  send: { en: 'Send me the code', 'pt-BR': 'Enviar o código' },
  sendAgain: { en: 'Send a new code', 'pt-BR': 'Enviar um novo código' },
  sent: {
    en: 'The code is on its way. It may take a minute; look into the spam folder too.',
    'pt-BR': 'O código está a caminho. Pode levar um minuto; veja também a pasta de spam.',
  },
  sentBefore: {
    en: 'A code was sent to you. Type it here, or send a new one.',
    'pt-BR': 'Um código já foi enviado a você. Digite-o aqui, ou envie um novo.',
  },
  emailCode: { en: 'Code by mail', 'pt-BR': 'Código por e-mail' },
  smsCode: { en: 'Code by SMS', 'pt-BR': 'Código por SMS' },
  appCode: { en: 'Code of your authenticator app', 'pt-BR': 'Código do aplicativo autenticador' },
  appHint: {
    en: 'Six digits, which change every 30 seconds.',
    'pt-BR': 'Seis dígitos, que mudam a cada 30 segundos.',
  },
  appNeeded: {
    en: 'The sender asks for a code of an authenticator app on your telephone. You set it up once, and use it again for other documents.',
    'pt-BR':
      'Quem enviou pede um código de um aplicativo autenticador no seu celular. Você o configura uma vez e o usa de novo em outros documentos.',
  },
  setUpApp: { en: 'Set up the app', 'pt-BR': 'Configurar o aplicativo' },
  scanApp: {
    en: 'Scan this with the authenticator app, then type the code that it shows.',
    'pt-BR': 'Leia este código com o aplicativo autenticador e digite o código que ele mostra.',
  },
  typeSecret: { en: 'Or type this key into the app:', 'pt-BR': 'Ou digite esta chave no aplicativo:' },
  faceNeeded: {
    en: 'The sender asks you to show your face to the camera first. No picture is kept here.',
    'pt-BR': 'Quem enviou pede que você mostre o rosto à câmera antes. Nenhuma imagem é guardada aqui.',
  },
  faceFailed: {
    en: 'The camera did not confirm that you are present. Try again.',
    'pt-BR': 'A câmera não confirmou a sua presença. Tente de novo.',
  },
  showFace: { en: 'Open the camera', 'pt-BR': 'Abrir a câmera' },
  noFace: {
    en: 'The camera cannot be used at the moment. Try again in some minutes, or ask the sender.',
    'pt-BR': 'A câmera não pode ser usada agora. Tente em alguns minutos, ou fale com quem enviou.',
  },
  noApp: {
    en: 'Set up the authenticator app first.',
    'pt-BR': 'Configure primeiro o aplicativo autenticador.',
  },
  codeHint: { en: 'Six digits, valid for 10 minutes.', 'pt-BR': 'Seis dígitos, válidos por 10 minutos.' },
  image: { en: 'Your signature as an image (optional)', 'pt-BR': 'Sua assinatura em imagem (opcional)' },
  draw: { en: 'Draw here with a finger or the mouse', 'pt-BR': 'Desenhe aqui com o dedo ou o mouse' },
  clear: { en: 'Clear', 'pt-BR': 'Limpar' },
  typed: { en: 'Or type your name', 'pt-BR': 'Ou digite seu nome' },
  upload: {
    en: 'Choose an image (PNG or JPEG, up to 100 KB)',
    'pt-BR': 'Escolha uma imagem (PNG ou JPEG, até 100 KB)',
  },
  location: {
    en: 'Record where I am, too (optional)',
    'pt-BR': 'Registrar também onde estou (opcional)',
  },
  agreement: {
    en: (name: string) =>
      `I have read the document “${name}” and sign it electronically. I accept this signature as mine, and the evidence that is recorded of it.`,
    'pt-BR': (name: string) =>
      `Li o documento “${name}” e o assino eletronicamente. Reconheço esta assinatura como minha e aceito o registro das evidências.`,
  },
  sign: { en: 'Sign the document', 'pt-BR': 'Assinar o documento' },
  withCertificate: { en: 'Sign with a certificate instead', 'pt-BR': 'Assinar com certificado digital' },
  needsScript: {
    en: 'To draw, to sign with a certificate or to refuse, turn JavaScript on and reload the page.',
    'pt-BR': 'Para desenhar, assinar com certificado ou recusar, ative o JavaScript e recarregue a página.',
  },

  wrong: {
    en: (left: number) =>
      `This is not the code that was sent last. ${left === 1 ? 'One attempt is' : `${left} attempts are`} left.`,
    'pt-BR': (left: number) =>
      `Este não é o último código enviado. ${left === 1 ? 'Resta uma tentativa' : `Restam ${left} tentativas`}.`,
  },
  missing: { en: 'Type the code that was sent to you.', 'pt-BR': 'Digite o código que foi enviado a você.' },
  expired: {
    en: 'The code is no longer valid. Send a new one.',
    'pt-BR': 'O código não vale mais. Envie um novo.',
  },
  locked: {
    en: 'Six codes in a row were wrong, so no code is taken for 15 minutes. Nothing was signed. Come back later, or ask the sender.',
    'pt-BR':
      'Seis códigos seguidos estavam errados, e por 15 minutos nenhum código é aceito. Nada foi assinado. Volte mais tarde, ou fale com quem enviou.',
  },
  tooMany: {
    en: 'Three codes were sent within a few minutes. Wait ten minutes, or look for the last one.',
    'pt-BR': 'Três códigos foram enviados em poucos minutos. Espere dez minutos, ou procure o último.',
  },
  notSent: {
    en: 'The code could not be sent. Try again in a minute, or ask the sender.',
    'pt-BR': 'Não foi possível enviar o código. Tente de novo em um minuto, ou fale com quem enviou.',
  },
  imageUnusable: {
    en: 'The image cannot be used. Choose a PNG or JPEG of at most 100 KB, or sign without one.',
    'pt-BR': 'A imagem não pode ser usada. Escolha um PNG ou JPEG de até 100 KB, ou assine sem imagem.',
  },
  disagreed: {
    en: 'Confirm the sentence above the button to sign.',
    'pt-BR': 'Confirme a frase acima do botão para assinar.',
  },
  changed: {
    en: 'The document was changed after this page was opened, and nothing was signed. It is shown as it is now: read it again, then sign.',
    'pt-BR':
      'O documento mudou depois que esta página foi aberta, e nada foi assinado. Ele aparece como está agora: leia de novo e assine.',
  },
});
