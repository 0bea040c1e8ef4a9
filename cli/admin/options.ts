import { HELP } from '../../shared/command-line/parse.ts';
import { HUB_OPTIONS } from './hub/options.ts';
import { SHARE_OPTIONS } from './shares/options.ts';

export const USAGE = `Administration: client applications and their keys, the providers of the hub, the organizations of the document
platform, the organizations and institutes of the credential platform, the vault, the workstations and the audit trail of
the session server, the profiles, the approvers, the shares and the backups of the batch service, and the queues.

  npm run admin -- apps create NAME --service SERVICE [--permission P ...]
  npm run admin -- apps list --service SERVICE
  npm run admin -- apps disable NAME --service SERVICE
  npm run admin -- apps enable NAME --service SERVICE
  npm run admin -- apps register NAME KIND VALUE --service SERVICE
  npm run admin -- apps unregister NAME KIND VALUE --service SERVICE
  npm run admin -- apps permit NAME P --service SERVICE
  npm run admin -- apps forbid NAME P --service SERVICE
  npm run admin -- keys issue NAME --service SERVICE [--expires WHEN]
  npm run admin -- keys list NAME --service SERVICE
  npm run admin -- keys revoke NAME KEY --service SERVICE
  npm run admin -- keys expire NAME KEY --service SERVICE [--expires WHEN]
  npm run admin -- keys create --to FILE|ssm:/NAME
  npm run admin -- keys list
  npm run admin -- keys rotate
  npm run admin -- keys retire ID
  npm run admin -- agents code [--cpf CPF]
  npm run admin -- agents list
  npm run admin -- agents disable AGENT
  npm run admin -- vault import FILE [--pin-file F | --pin-env NAME]
  npm run admin -- vault list CPF
  npm run admin -- vault judge CPF
  npm run admin -- vault remove CPF CERTIFICATE
  npm run admin -- audit show DAY [--cpf CPF]
  npm run admin -- faces list APPLICATION
  npm run admin -- faces delete APPLICATION FACE
  npm run admin -- callouts set APPLICATION CALLOUT --url URL [--auth NoAuth|Basic|Bearer|ApiKey]
                   [--secret-file F | --secret-env NAME]
  npm run admin -- callouts list APPLICATION
  npm run admin -- callouts remove APPLICATION CALLOUT
  npm run admin -- hub providers add NAME --url URL --company TEXT --client-id ID
                   [--secret-file F | --secret-env NAME] [--badge URL] [--hash-encoding base64|hex]
                   [--token-body form|json] [--hashes N] [--no-alias] [--replace]
                   [--discovery client|application-token|none] [--timeout KIND=SECONDS ...]
  npm run admin -- hub providers list
  npm run admin -- hub providers show NAME
  npm run admin -- hub providers test NAME [--identifier CPF-OR-CNPJ]
  npm run admin -- hub providers remove NAME
  npm run admin -- organizations create NAME --owner ID=NAME [--identifier CNPJ] --service documents
  npm run admin -- organizations list --service documents
  npm run admin -- organizations delete ID --service documents
  npm run admin -- organizations seal ID FILE [--pin-file F | --pin-env NAME]
  npm run admin -- organizations reset-authenticator ID PERSON
  npm run admin -- organizations members ID --service documents|credentials
  npm run admin -- organizations members add ID ADDRESS ROLE NAME [--cpf CPF] --service documents|credentials
  npm run admin -- organizations members role ID ADDRESS ROLE --service documents|credentials
  npm run admin -- organizations members remove ID ADDRESS --service documents|credentials
  npm run admin -- organizations create NAME --kind KIND ... --service credentials
  npm run admin -- organizations list --service credentials
  npm run admin -- institutes create NAME --organization ID --emec CODE [--signer STEP=CPF,EMAIL,NAME ...]
  npm run admin -- institutes list [--organization ID]
  npm run admin -- institutes signers ID --signer STEP=CPF,EMAIL,NAME ...
  npm run admin -- profiles list
  npm run admin -- profiles show NAME
  npm run admin -- profiles put FILE.json
  npm run admin -- profiles enable NAME
  npm run admin -- profiles disable NAME
  npm run admin -- profiles default NAME
  npm run admin -- profiles remove NAME
  npm run admin -- profiles key NAME FILE [--pin-file F | --pin-env NAME]
  npm run admin -- approvers list
  npm run admin -- approvers link ADDRESS
  npm run admin -- approvers reset-second-factor ADDRESS
  npm run admin -- shares add NAME --endpoint URL --bucket B [--prefix P] [--region R] --access-key-id ID
                   [--secret-file F | --secret-env NAME] [--ca-file F]
  npm run admin -- shares list
  npm run admin -- shares test NAME
  npm run admin -- shares remove NAME [--force]
  npm run admin -- backup list
  npm run admin -- backup verify ID
  npm run admin -- backup restore ID --into STAGE
  npm run admin -- backup --to DIR [--keep N]
  npm run admin -- restore --from DIR [--dry-run]
  npm run admin -- export --to FILE [--force]
  npm run admin -- import --from FILE [--force]
  npm run admin -- queues list [--service SERVICE]
  npm run admin -- queues redrive QUEUE --service SERVICE [--dry-run]

SERVICE   session, hub, pki, documents or credentials. Repeat it to act on several.
          The batch services take one key, from their setting Auth:ApiKey.
KIND      what an operator vouches for: redirectUris (hub), returnUrls and trustedOrigins (pki),
          organizations (documents, credentials), by the ids that organizations list shows;
          role (credentials): what its keys may do, as the role of a member.
          Of an organization: Emissora, which issues credentials, Registradora, which registers them, or both.
P         a permission of the pki service, or * for all (the default). In the documents service the one
          permission is admin: to make and delete organizations over HTTP. In the credentials service it is
          Administrador: to configure webhooks. By default neither is given.
CODE      the code of an institution of higher education at e-MEC, which begins its verification codes.
STEP      1 for who signs first. Those of one step sign side by side. The named signers replace all others.
WHEN      a moment (2027-01-31T00:00:00Z), a day (2027-01-31) or a number of days (90d). Left out, an issued
          key does not expire, and keys expire means now.
KEY       a key's id as keys list shows it; its first characters are enough.
CPF       the agent that the code lets in may hold certificates of this holder alone.
AGENT     an agent's id as agents list shows it; its first characters are enough.
FILE      a PKCS#12 file (.p12, .pfx). Its password is asked for and kept nowhere: it is the holder's PIN.
          The key of a profile is kept sealed with the setting Sealing:Keys.
FILE.json the fields of a profile. Those that it leaves out stay as they are.
ADDRESS   the mail address of an approver, as approvers list shows it. The link is a credential: it opens the
          portal as that person. After a reset the person sets up a second factor again.
          Of a member of an organization: the one by which they log in to the console.
ROLE      of a member: Owner, Manager, Member or Reader; of credentials Administrador, Registrar or Reader. The first member
          has the first of them, and the last one who has it stays.
DAY       2026-11-15, in UTC.
FACE      a face's name at the biometric provider as faces list shows it; its first characters are enough.
CALLOUT   what an application of the pki service is called for: DocumentSignatureCompleted, to be told of its signed
          documents, or FileValidation, to say which files people may bring. The token of the calls is asked for,
          and kept sealed with the setting Sealing:Keys.
URL       of a provider: its base address, up to and with /oauth. Its client secret is asked for, and kept sealed
          with the setting Sealing:Keys.
          Of a share: the address of its S3 server. Its secret access key is asked for, and kept sealed with the
          setting Sealing:Keys; a share that is added again keeps it.
CNPJ      with letters or without. An organization without one is a personal one.
DIR       of backup and restore without a further word: a folder of backups of a whole installation on one machine,
          with everything in its data folder: tables, files, messages and sealing keys. It may run meanwhile. The
          last N are kept, 7 by default. Restored is the newest, or the one whose folder in DIR is named, into an
          empty --data DIR; --dry-run only verifies it. See docs/self-hosting.md.
FILE      of export and import: every item, object and undelivered message of a stage, to move it to AWS, from AWS
          or to another name. Both stages are stopped, and the new one is empty; --force leaves these checks out.
          Sealing keys are not in it: the new stage needs the same. See docs/self-hosting.md.
ID        of a sealing key, as keys list without a NAME shows it. Sealing keys are those of the setting Sealing:Keys.
          create makes a ring of them; rotate adds one and wraps every secret with it, while the services run; retire
          takes out one that nothing names any more. See docs/operations.md.
          Of a backup of the batch service alone (backup list, verify, restore): as backup list shows it. It is
          verified with the setting Sealing:Keys of the stage that made it, and restored into the empty table
          of a stage alone; a recount compares the lists, counts and names that the table has then.
QUEUE     a queue's name as queues list shows it. Its dead letters are moved back to it, to be tried again.

--stage STAGE   local by default: the engine that runs on this machine. Any other: the AWS account
                that is configured.
--data DIR      the engine's data folder, .local by default.
--config FILE   the file of a host (npm run serve): its stage, its stores and its settings, whether it runs or not.
                SINETE_CONFIG names it too. A host that runs sees a change after Access:CacheSeconds.
`;

export const OPTIONS = {
  service: { type: 'string', multiple: true },
  permission: { type: 'string', multiple: true },
  expires: { type: 'string' },
  cpf: { type: 'string' },
  'pin-file': { type: 'string' },
  'pin-env': { type: 'string' },
  identifier: { type: 'string' },
  owner: { type: 'string' },
  'dry-run': { type: 'boolean' },
  into: { type: 'string' },
  auth: { type: 'string' },
  ...HUB_OPTIONS,
  ...SHARE_OPTIONS,
  // Of `institutes`, and of `organizations` of the credential platform.
  kind: { type: 'string', multiple: true },
  emec: { type: 'string' },
  organization: { type: 'string' },
  signer: { type: 'string', multiple: true },
  // Of commands about a whole installation.
  to: { type: 'string' },
  from: { type: 'string' },
  keep: { type: 'string' },
  stage: { type: 'string', default: 'local' },
  data: { type: 'string' },
  config: { type: 'string' },
  ...HELP,
} as const;
