import type { Language } from '../../../../../../shared/ui/languages.ts';
import { translations } from '../../../../../../shared/ui/translations.ts';

export const editorWords = translations({
  signing: { en: 'How it signs', 'pt-BR': 'Como assina' },
  method: { en: 'Method', 'pt-BR': 'Método' },
  Local: { en: 'With the key of the profile', 'pt-BR': 'Com a chave do perfil' },
  ExternalSigner: {
    en: 'People sign at the external service',
    'pt-BR': 'Pessoas assinam no serviço externo',
  },
  SignerFolder: {
    en: 'Documents of a folder of the external service',
    'pt-BR': 'Documentos de uma pasta do serviço externo',
  },
  format: { en: 'Format', 'pt-BR': 'Formato' },
  byExtension: { en: 'By the extension of the file', 'pt-BR': 'Pela extensão do arquivo' },
  inputFolder: { en: 'Input folder', 'pt-BR': 'Pasta de entrada' },
  noFolder: { en: 'None', 'pt-BR': 'Nenhuma' },
  verify: { en: 'Verify each signed file', 'pt-BR': 'Verificar cada arquivo assinado' },
  validateCertificate: {
    en: 'Validate the certificate before signing',
    'pt-BR': 'Validar o certificado antes de assinar',
  },
  timestamp: { en: 'Add a timestamp', 'pt-BR': 'Incluir carimbo do tempo' },
  preserveFileExtension: {
    en: 'Keep the extension of the file',
    'pt-BR': 'Manter a extensão do arquivo',
  },
  saveAsPem: { en: 'Save CAdES as PEM', 'pt-BR': 'Gravar CAdES como PEM' },
  checkCnab240: { en: 'Check CNAB240 remittances', 'pt-BR': 'Verificar remessas CNAB240' },
  checkCnab240PaymentDates: {
    en: 'Refuse past payment dates',
    'pt-BR': 'Recusar datas de pagamento passadas',
  },
  checkCnab240LotSums: {
    en: 'Refuse lots whose sum is not that of their payments',
    'pt-BR': 'Recusar lotes cuja soma não é a dos pagamentos',
  },
  encryption: { en: 'Encryption of outputs', 'pt-BR': 'Cifragem das saídas' },
  encryptionMode: { en: 'Encrypt', 'pt-BR': 'Cifrar' },
  'encryption-none': { en: 'No', 'pt-BR': 'Não' },
  'encryption-password': { en: 'With a password and salt', 'pt-BR': 'Com senha e salt' },
  'encryption-certificate': { en: 'For a certificate', 'pt-BR': 'Para um certificado' },
  password: { en: 'Password', 'pt-BR': 'Senha' },
  salt: { en: 'Salt (base64)', 'pt-BR': 'Salt (base64)' },
  saltHint: {
    en: 'At least 16 bytes: openssl rand -base64 16',
    'pt-BR': 'Pelo menos 16 bytes: openssl rand -base64 16',
  },
  keeps: {
    en: 'Leave it empty to keep what is stored.',
    'pt-BR': 'Deixe vazio para manter o que está guardado.',
  },
  recipient: { en: 'Certificate of who opens the files', 'pt-BR': 'Certificado de quem abre os arquivos' },
  recipientHint: { en: 'In PEM or base64.', 'pt-BR': 'Em PEM ou base64.' },
  approval: { en: 'Approval', 'pt-BR': 'Aprovação' },
  needsApproval: { en: 'Files need approval', 'pt-BR': 'Arquivos precisam de aprovação' },
  approvalHint: {
    en: 'Without the check, the rule and its people are removed from the profile. Jobs that wait keep theirs.',
    'pt-BR': 'Sem a marca, a regra e suas pessoas saem do perfil. Trabalhos que esperam mantêm as suas.',
  },
  quorum: { en: 'Approvals needed', 'pt-BR': 'Aprovações necessárias' },
  expiresAfter: { en: 'Expires after', 'pt-BR': 'Expira após' },
  expiresAfterHint: {
    en: 'Days.hours:minutes:seconds, such as 2.00:00:00. Empty: never.',
    'pt-BR': 'Dias.horas:minutos:segundos, como 2.00:00:00. Vazio: nunca.',
  },
  signerSet: { en: 'Who signs', 'pt-BR': 'Quem assina' },
  Profile: { en: 'The profile', 'pt-BR': 'O perfil' },
  Approvers: { en: 'The approvers', 'pt-BR': 'Os aprovadores' },
  ProfileAndApprovers: { en: 'The profile and the approvers', 'pt-BR': 'O perfil e os aprovadores' },
  approver: { en: 'Approver', 'pt-BR': 'Aprovador' },
  signer: { en: 'Signer', 'pt-BR': 'Signatário' },
  name: { en: 'Name', 'pt-BR': 'Nome' },
  email: { en: 'E-mail', 'pt-BR': 'E-mail' },
  cpf: { en: 'CPF', 'pt-BR': 'CPF' },
  step: { en: 'Step', 'pt-BR': 'Etapa' },
  moreRows: {
    en: 'Empty rows are left out. The next one appears when this one is filled in.',
    'pt-BR': 'Linhas vazias não contam. A próxima aparece quando esta é preenchida.',
  },
  externalSigner: { en: 'External signers', 'pt-BR': 'Signatários externos' },
  externalSignerHint: {
    en: 'For the method by which people sign at the external service. Those of one step sign side by side.',
    'pt-BR': 'Para o método em que pessoas assinam no serviço externo. As de uma etapa assinam em paralelo.',
  },
  folderId: { en: 'Folder id', 'pt-BR': 'Identificador da pasta' },
  expiresAfterDays: { en: 'Expires after days', 'pt-BR': 'Expira após dias' },
  optional: { en: 'Optional.', 'pt-BR': 'Opcional.' },
  signerFolder: { en: 'Signer folder', 'pt-BR': 'Pasta de assinatura' },
  signerFolderHint: {
    en: 'For the method that signs the documents of a folder of the external service.',
    'pt-BR': 'Para o método que assina os documentos de uma pasta do serviço externo.',
  },
  cloudCertificate: { en: 'Cloud certificate', 'pt-BR': 'Certificado em nuvem' },
  cloudCertificateHint: {
    en: 'Signs with a certificate at a cloud provider in place of the key. Save it, then authorize it above.',
    'pt-BR': 'Assina com um certificado em nuvem no lugar da chave. Salve e depois autorize acima.',
  },
  identifier: { en: 'CPF or CNPJ of the holder', 'pt-BR': 'CPF ou CNPJ do titular' },
  identifierHint: {
    en: 'Empty: the profile signs with its key.',
    'pt-BR': 'Vazio: o perfil assina com sua chave.',
  },
  provider: { en: 'Provider', 'pt-BR': 'Provedor' },
  alias: { en: 'Alias of the certificate', 'pt-BR': 'Apelido do certificado' },
});

type Words = ReturnType<typeof editorWords>;

/** The fields whose label is not the last part of their path. */
const LABELS: Readonly<Record<string, keyof Words>> = {
  'encryption.mode': 'encryptionMode',
  'encryption.certificate': 'recipient',
  'cloudCertificate.certificateAlias': 'alias',
  'approval.approvers': 'approver',
  'externalSigner.signers': 'signer',
};

const isWord = (words: Words, name: string): name is keyof Words => Object.hasOwn(words, name);

/**
 * A field as the editor names it, by its path. One that the editor does not show is its path.
 * @example labelOf('en', 'approval.approvers.0.cpf') // 'Approver 1, CPF'
 */
export function labelOf(language: Language, path: string): string {
  const words = editorWords(language);
  const [, list = '', index, field = ''] = /^(.+?)\.(\d+)(?:\.(\w+))?$/.exec(path) ?? [];
  const listLabel = LABELS[list];
  if (index !== undefined && listLabel) {
    const person = `${words[listLabel]} ${Number(index) + 1}`;
    return isWord(words, field) ? `${person}, ${words[field]}` : person;
  }
  const last = path.split('.').at(-1) ?? '';
  const name = LABELS[path] ?? last;
  return isWord(words, name) ? words[name] : path;
}
