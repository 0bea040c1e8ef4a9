import type { ServiceName } from '../../../../shared/settings/names.ts';
import { translations } from '../../../../shared/ui/translations.ts';

export const homeWords = translations({
  title: { en: 'Sinete runs on this machine', 'pt-BR': 'O Sinete está rodando nesta máquina' },
  lead: {
    en: 'Signing services for ICP-Brasil certificates, with a sandbox of people and keys. Nothing here is real.',
    'pt-BR':
      'Serviços de assinatura para certificados ICP-Brasil, com um ambiente de testes com pessoas e chaves. Nada aqui é real.',
  },
  console: { en: 'Send and follow documents', 'pt-BR': 'Enviar e acompanhar documentos' },
  consoleHint: {
    en: 'The console of an organization, without writing code. You are its owner.',
    'pt-BR': 'O painel de uma organização, sem escrever código. Você é o proprietário.',
  },
  openConsole: { en: 'Open the console', 'pt-BR': 'Abrir o painel' },
  registrar: { en: 'Issue and register degrees', 'pt-BR': 'Emitir e registrar diplomas' },
  registrarHint: {
    en: 'The console of a university, without writing code. You are its administrator.',
    'pt-BR': 'O painel de uma universidade, sem escrever código. Você é o administrador.',
  },
  openRegistrar: { en: 'Open the registrar’s console', 'pt-BR': 'Abrir a secretaria acadêmica' },
  services: { en: 'Services', 'pt-BR': 'Serviços' },
  service: { en: 'Service', 'pt-BR': 'Serviço' },
  baseUrl: { en: 'Base URL', 'pt-BR': 'URL base' },
  reference: { en: 'Reference', 'pt-BR': 'Referência' },
  key: { en: 'The API key', 'pt-BR': 'A chave de API' },
  keyUse: {
    en: 'Every service accepts it in the header X-API-Key.',
    'pt-BR': 'Todos os serviços a aceitam no cabeçalho X-API-Key.',
  },
  otherKeys: { en: 'Without permissions:', 'pt-BR': 'Sem permissões:' },
  refusedKeys: { en: 'Refused:', 'pt-BR': 'Recusadas:' },
  people: { en: 'People', 'pt-BR': 'Pessoas' },
  peopleUse: {
    en: 'Holders of certificates, for sessions and signatures. Each link is their PKCS#12 file, which is in pki/holders of the data folder (.local) too.',
    'pt-BR':
      'Titulares de certificados, para sessões e assinaturas. Cada link é o arquivo PKCS#12, que também está em pki/holders, na pasta de dados (.local).',
  },
  cpf: { en: 'CPF or CNPJ', 'pt-BR': 'CPF ou CNPJ' },
  pin: { en: 'PIN', 'pt-BR': 'PIN' },
  certificate: { en: 'Certificate', 'pt-BR': 'Certificado' },
  active: { en: 'active', 'pt-BR': 'ativo' },
  expired: { en: 'expired', 'pt-BR': 'vencido' },
  revoked: { en: 'revoked', 'pt-BR': 'revogado' },
  untrusted: { en: 'of an authority that is not trusted', 'pt-BR': 'de uma autoridade não confiável' },
  unreachable: {
    en: 'revocation data out of reach',
    'pt-BR': 'com dados de revogação inacessíveis',
  },
  noEmail: { en: 'active, without an e-mail address', 'pt-BR': 'ativo, sem endereço de e-mail' },
  workstation: {
    en: 'active, at a workstation: run npm run agent',
    'pt-BR': 'ativo, em uma estação de trabalho: execute npm run agent',
  },
  company: { en: 'active, of a company', 'pt-BR': 'ativo, de uma empresa' },
  providers: {
    en: 'Cloud providers of the hub: alpha (CPF 52998224725), beta (CNPJ 11222333000181), gamma (never answers).',
    'pt-BR':
      'Provedores de nuvem do hub: alpha (CPF 52998224725), beta (CNPJ 11222333000181), gamma (nunca responde).',
  },
  tryIt: { en: 'Try it', 'pt-BR': 'Experimente' },
  pages: { en: 'Pages', 'pt-BR': 'Páginas' },
  signNow: { en: 'Sign a document now', 'pt-BR': 'Assine um documento agora' },
  fetchCertificate: {
    en: (file: string) => `Download the certificate ${file}`,
    'pt-BR': (file: string) => `Baixe o certificado ${file}`,
  },
  password: { en: 'Its password is', 'pt-BR': 'A senha dele é' },
  sign: { en: 'Create a contract and sign it', 'pt-BR': 'Criar um contrato e assinar' },
  signHint: {
    en: 'Leads to its signing page: choose the certificate there, and give the password.',
    'pt-BR': 'Leva à página de assinatura: escolha o certificado lá e informe a senha.',
  },
  docs: { en: 'Documentation', 'pt-BR': 'Documentação' },
  docsHint: {
    en: 'Guides for sending, signing and operating, with a search.',
    'pt-BR': 'Guias para enviar, assinar e operar, com pesquisa.',
  },
  verify: { en: 'Verify a signed file', 'pt-BR': 'Verifique um arquivo assinado' },
  verifyHint: {
    en: 'Who signed it, when, and whether anything changed after.',
    'pt-BR': 'Quem assinou, quando, e se algo mudou depois.',
  },
  degree: { en: 'Verify a degree or transcript', 'pt-BR': 'Verifique um diploma ou histórico' },
  degreeHint: {
    en: 'By its code. The example issued-degree issues some.',
    'pt-BR': 'Pelo código. O exemplo issued-degree emite alguns.',
  },
  dashboard: { en: 'Dashboard of batch signing', 'pt-BR': 'Painel da assinatura em lotes' },
  dashboardHint: {
    en: 'Jobs, profiles, folders. Log in with the API key below.',
    'pt-BR': 'Trabalhos, perfis, pastas. Entre com a chave de API abaixo.',
  },
  portal: { en: 'Portal of an approver', 'pt-BR': 'Portal de uma aprovadora' },
  portalHint: {
    en: 'As Ana. The example sign-folder sends her payment files.',
    'pt-BR': 'Como Ana. O exemplo sign-folder envia a ela arquivos de pagamento.',
  },
  webhooks: { en: 'Webhooks and their deliveries', 'pt-BR': 'Webhooks e suas entregas' },
  webhooksHint: {
    en: 'Of the document platform, in its console.',
    'pt-BR': 'Da plataforma de documentos, no painel dela.',
  },
  received: {
    en: 'See what the webhook receiver “mine” got',
    'pt-BR': 'Veja o que o receptor de webhooks “mine” recebeu',
  },
  mail: {
    en: 'See the mail that signers and approvers got',
    'pt-BR': 'Veja os e-mails que signatários e aprovadores receberam',
  },
  root: {
    en: 'Fetch the root certificate of the sandbox',
    'pt-BR': 'Baixe o certificado raiz do ambiente de testes',
  },
  openSession: { en: 'Open a signing session', 'pt-BR': 'Abra uma sessão de assinatura' },
  next: {
    en: 'The documentation continues from here: sign a PDF, take a document through two signers.',
    'pt-BR': 'A documentação continua daqui: assine um PDF, leve um documento por dois signatários.',
  },
});

/** The purpose of each service, in a few words. */
export const serviceWords = translations({
  session: { en: 'Sign PDFs under a session with a PIN', 'pt-BR': 'Assina PDFs em uma sessão com PIN' },
  hub: {
    en: 'Sign with certificates at cloud providers',
    'pt-BR': 'Assina com certificados em provedores de nuvem',
  },
  pki: {
    en: 'Log in with a certificate; biometric and signature sessions',
    'pt-BR': 'Autentica com certificado; sessões biométricas e de assinatura',
  },
  batch: { en: 'Sign folders and uploads in batches', 'pt-BR': 'Assina pastas e envios em lotes' },
  compact: { en: 'Batch signing, a smaller interface', 'pt-BR': 'Assinatura em lote, interface menor' },
  documents: {
    en: 'Take documents through flows of signers',
    'pt-BR': 'Leva documentos por fluxos de signatários',
  },
  credentials: { en: 'Issue and register degrees', 'pt-BR': 'Emite e registra diplomas' },
} satisfies Record<Exclude<ServiceName, 'sandbox'>, unknown>);
