import { translations } from '../../../../shared/ui/translations.ts';

/** What the session page says, whatever happens. */
export const bioWords = translations({
  title: { en: 'Identity check', 'pt-BR': 'Verificação de identidade' },
  introLiveness: { en: 'Show that you are here', 'pt-BR': 'Mostre que você está presente' },
  introEnrollment: { en: 'Register your face', 'pt-BR': 'Cadastre seu rosto' },
  whyLiveness: {
    en: 'The camera takes a few pictures of your face, to tell you from a photo or a video.',
    'pt-BR': 'A câmera tira algumas fotos do seu rosto, para distinguir você de uma foto ou de um vídeo.',
  },
  whyEnrollment: {
    en: 'The camera takes a few pictures of your face, so that you can be recognized by it later.',
    'pt-BR': 'A câmera tira algumas fotos do seu rosto, para que você possa ser reconhecido por ele depois.',
  },
  kept: {
    en: 'The pictures are judged and not stored here.',
    'pt-BR': 'As fotos são avaliadas e não ficam guardadas aqui.',
  },
  keptEnrollment: {
    en: 'The pictures are not stored here. The identity provider keeps a reference of your face, which can be deleted on request.',
    'pt-BR':
      'As fotos não ficam guardadas aqui. O provedor de identidade guarda uma referência do seu rosto, que pode ser apagada a pedido.',
  },
  adviceLight: {
    en: 'Find a place with good light, and none behind you.',
    'pt-BR': 'Procure um lugar bem iluminado, sem luz atrás de você.',
  },
  adviceFace: {
    en: 'Take off hat, mask and dark glasses.',
    'pt-BR': 'Tire chapéu, máscara e óculos escuros.',
  },
  adviceDocument: {
    en: 'Have your identity document with you: it is photographed first.',
    'pt-BR': 'Tenha seu documento de identidade em mãos: ele é fotografado primeiro.',
  },
  adviceLocation: {
    en: 'The browser will ask to share where you are.',
    'pt-BR': 'O navegador vai pedir para compartilhar onde você está.',
  },
  start: { en: 'Turn the camera on', 'pt-BR': 'Ligar a câmera' },
  cancel: { en: 'Cancel', 'pt-BR': 'Cancelar' },
  documentTitle: { en: 'Photograph your document', 'pt-BR': 'Fotografe seu documento' },
  documentHelp: {
    en: 'Hold the side with your photo before the camera, until it fills the frame.',
    'pt-BR': 'Segure o lado com a sua foto diante da câmera, até que preencha o quadro.',
  },
  takePicture: { en: 'Take the picture', 'pt-BR': 'Tirar a foto' },
  cameraTitle: { en: 'Place your face in the oval', 'pt-BR': 'Posicione o rosto no oval' },
  cameraHelp: {
    en: 'Look at the camera and hold still for two seconds.',
    'pt-BR': 'Olhe para a câmera e fique parado por dois segundos.',
  },
  begin: { en: 'I am ready', 'pt-BR': 'Estou pronto' },
  videoLabel: { en: 'What the camera sees', 'pt-BR': 'O que a câmera vê' },
  capturing: { en: 'Hold still…', 'pt-BR': 'Fique parado…' },
  judging: { en: 'Checking the pictures…', 'pt-BR': 'Conferindo as fotos…' },
  locating: { en: 'Finding out where you are…', 'pt-BR': 'Verificando onde você está…' },
  opening: { en: 'Turning the camera on…', 'pt-BR': 'Ligando a câmera…' },
  workingTitle: { en: 'One moment', 'pt-BR': 'Um momento' },
  againTitle: { en: 'That did not work', 'pt-BR': 'Não funcionou' },
  again: { en: 'Try again', 'pt-BR': 'Tentar de novo' },
  attemptsLeft: {
    en: (left: number) => (left === 1 ? 'You have one more try.' : `You have ${left} more tries.`),
    'pt-BR': (left: number) =>
      left === 1 ? 'Você tem mais uma tentativa.' : `Você tem mais ${left} tentativas.`,
  },
  endHere: { en: 'End without checking', 'pt-BR': 'Encerrar sem verificar' },
  troubleTitle: { en: 'This cannot go on yet', 'pt-BR': 'Ainda não é possível continuar' },
  phoneTitle: { en: 'Go on with your phone', 'pt-BR': 'Continue no celular' },
  phoneHelp: {
    en: 'Point the camera of your phone at this code. This page goes on by itself when you are done there.',
    'pt-BR':
      'Aponte a câmera do celular para este código. Esta página continua sozinha quando você terminar lá.',
  },
  phoneCode: {
    en: 'Code that opens this check on a phone',
    'pt-BR': 'Código que abre esta verificação no celular',
  },
  phoneLink: { en: 'Or open this link on it', 'pt-BR': 'Ou abra este link nele' },
  waiting: { en: 'Waiting for your phone…', 'pt-BR': 'Aguardando o celular…' },
  useComputer: { en: 'Use this computer instead', 'pt-BR': 'Usar este computador' },
  usePhone: { en: 'Use my phone instead', 'pt-BR': 'Usar meu celular' },
  passedTitle: { en: 'All done', 'pt-BR': 'Tudo certo' },
  passed: { en: 'The check was successful.', 'pt-BR': 'A verificação foi concluída com sucesso.' },
  failedTitle: { en: 'The check was not successful', 'pt-BR': 'A verificação não foi concluída' },
  goOn: { en: 'Continue', 'pt-BR': 'Continuar' },
  closeHere: { en: 'You can close this page.', 'pt-BR': 'Você pode fechar esta página.' },
  goOnAtComputer: {
    en: 'Go on at your computer. You can close this page.',
    'pt-BR': 'Continue no seu computador. Você pode fechar esta página.',
  },
  unknownTitle: { en: 'This link opens nothing', 'pt-BR': 'Este link não abre nada' },
  unknown: {
    en: 'It is not complete, or its check was over long ago. Go back to where you came from and begin again.',
    'pt-BR':
      'Ele está incompleto ou a verificação terminou há muito tempo. Volte para onde você começou e inicie de novo.',
  },
  noScript: {
    en: 'The camera needs JavaScript. Allow it in your browser and reload the page.',
    'pt-BR': 'A câmera precisa de JavaScript. Permita-o no navegador e recarregue a página.',
  },
});

/** Why a try did not count, by what the provider found. */
export const verdictWords = translations({
  notLive: {
    en: 'The pictures did not show clearly that you are here. Look for better light and hold still.',
    'pt-BR': 'As fotos não mostraram com clareza que você está presente. Procure mais luz e fique parado.',
  },
  noFace: {
    en: 'Your face could not be seen well enough. Come closer, and take off what covers it.',
    'pt-BR': 'Não foi possível ver bem o seu rosto. Chegue mais perto e tire o que o cobre.',
  },
  captureFailed: {
    en: 'The pictures could not be used.',
    'pt-BR': 'Não foi possível usar as fotos.',
  },
  noDocument: {
    en: 'The photo on your document could not be seen. Take its picture again, without reflections.',
    'pt-BR': 'Não foi possível ver a foto do documento. Fotografe-o de novo, sem reflexos.',
  },
});

/** How a session ended that was no success. */
export const failureWords = translations({
  FaceNotFoundWithSufficientQuality: {
    en: 'Your face could not be seen well enough.',
    'pt-BR': 'Não foi possível ver bem o seu rosto.',
  },
  FaceLiveness2dFailed: {
    en: 'The camera saw a picture or a screen, not a person.',
    'pt-BR': 'A câmera viu uma foto ou uma tela, e não uma pessoa.',
  },
  FaceCaptureFailed: {
    en: 'No usable pictures could be taken.',
    'pt-BR': 'Não foi possível tirar fotos que servissem.',
  },
  DocumentCaptureFailed: {
    en: 'The photo on your document could not be seen.',
    'pt-BR': 'Não foi possível ver a foto do documento.',
  },
  FaceIdentityVerificationFailed: {
    en: 'Your face is not that of the document.',
    'pt-BR': 'O seu rosto não é o do documento.',
  },
  DuplicatesFound: {
    en: 'This face, or this person, is registered already.',
    'pt-BR': 'Este rosto, ou esta pessoa, já está cadastrado.',
  },
  AttemptsLimitReached: {
    en: 'All tries were used up.',
    'pt-BR': 'Todas as tentativas foram usadas.',
  },
  SessionAborted: {
    en: 'The check ended before it was done.',
    'pt-BR': 'A verificação terminou antes de ser concluída.',
  },
});

/** What stands in the way, and what to do about it. */
export const troubleWords = translations({
  cameraRefused: {
    en: 'The browser may not use the camera. Allow it in the settings beside the address, then try again.',
    'pt-BR':
      'O navegador não tem permissão para usar a câmera. Permita nas configurações ao lado do endereço e tente de novo.',
  },
  noCamera: {
    en: 'No camera was found on this device. Connect one, or use your phone.',
    'pt-BR': 'Nenhuma câmera foi encontrada neste aparelho. Conecte uma ou use o celular.',
  },
  cameraBusy: {
    en: 'The camera is used by another program. Close it and try again.',
    'pt-BR': 'A câmera está em uso por outro programa. Feche-o e tente de novo.',
  },
  insecure: {
    en: 'The browser gives the camera to secure pages only. Open the link with https://.',
    'pt-BR': 'O navegador só libera a câmera em páginas seguras. Abra o link com https://.',
  },
  noLocation: {
    en: 'Where you are must be known here. Allow the browser to share it, then try again.',
    'pt-BR': 'É preciso saber onde você está. Permita que o navegador compartilhe e tente de novo.',
  },
  provider: {
    en: 'The check is not available at the moment. This was not counted as a try: make it again.',
    'pt-BR': 'A verificação não está disponível agora. Isto não contou como tentativa: tente de novo.',
  },
  lost: {
    en: 'The connection was lost. Check your internet and try again.',
    'pt-BR': 'A conexão caiu. Verifique sua internet e tente de novo.',
  },
  elsewhere: {
    en: 'This check is open in another place too. Close it there, then try again.',
    'pt-BR': 'Esta verificação está aberta em outro lugar. Feche-a lá e tente de novo.',
  },
  expired: {
    en: 'The time for this check is over. Go back to where you came from and begin again.',
    'pt-BR': 'O tempo desta verificação acabou. Volte para onde você começou e inicie de novo.',
  },
});
