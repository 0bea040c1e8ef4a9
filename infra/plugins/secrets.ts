import { encryptionContext, parameterOf, sourceOf, WITHHELD } from '../../shared/settings/named-values.ts';
import type { Manual } from '../../shared/settings/settings.ts';
import type { Resource } from '../resources.ts';
import type { Functions } from './framework.ts';

type Environment = Readonly<Record<string, unknown>>;

const namedIn = (given: Environment): [variable: string, text: string][] =>
  Object.entries(given).flatMap(([variable, value]) =>
    typeof value === 'string' && sourceOf(value) ? [[variable, value]] : [],
  );

/**
 * Refuses a secret in clear text: it would be in the template, in the state of the deployment and in the environment of
 * every function. It is stored apart, and named.
 */
export function requireNamed(own: readonly Manual[], stage: string, given: Environment): void {
  const problems = [
    ...namedIn(given).flatMap(([variable, text]) => whyUnreadable(variable, text, given) ?? []),
    ...own
      .flatMap(({ owner, table }) =>
        Object.entries(table)
          .filter(([, { secret }]) => secret)
          .flatMap(([name]) => {
            const variable = name.replaceAll(':', '__');
            return [variable, `${owner}__${variable}`];
          }),
      )
      .filter((variable) => isClear(given[variable]))
      .map((variable) => {
        const parameter = parameterFor(variable, stage);
        return [
          `${variable} is a secret, and would be readable in the template. Store it, then name it:`,
          `  aws ssm put-parameter --type SecureString --name ${parameter} --value file:///dev/stdin`,
          `  ${variable}: ssm:${parameter}`,
        ].join('\n');
      }),
  ];
  if (problems.length > 0) throw new Error(`The settings of stage ${stage}:\n${problems.join('\n')}`);
}

/** Why no function could read a named value. */
function whyUnreadable(variable: string, text: string, given: Environment): string | undefined {
  const source = sourceOf(text);
  if (source === 'file') return `${variable} names ${text}, a file that no function has.`;
  if (source === 'withheld')
    return `${variable} is ${WITHHELD}, which is no value. Name one, or leave it out.`;
  if (source === 'kms' && !given.Sealing__KmsKey)
    return `${variable} is encrypted by KMS, and no function may decrypt it. Set Sealing__KmsKey to the ARN of the key, or store the value and name it by ssm:.`;
  return undefined;
}

const isClear = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(typeof value === 'string' && sourceOf(value));

/** @example parameterFor('Sealing__Keys', 'prod') // '/sinete/prod/sealing/keys' */
const parameterFor = (variable: string, stage: string): string =>
  `/sinete/${stage}/${variable
    .replaceAll('__', '/')
    .replace(/([a-z])(?=[A-Z])/g, '$1-')
    .toLowerCase()}`;

const isPublic = (role: unknown): boolean => /PublicRole$/.test(String(role));

/** Public functions reach no store, and have no use for a secret. */
export function withhold(functions: Functions, given: Environment): void {
  const withheld = Object.fromEntries(namedIn(given).map(([variable]) => [variable, WITHHELD]));
  for (const fn of Object.values(functions))
    if (isPublic(fn.role)) fn.environment = { ...fn.environment, ...withheld };
}

type Role = { Policies: { PolicyDocument: { Statement: object[] } }[] };

/** Lets the other functions of the service read the values that its settings name, and no others. */
export function permitReading(
  resources: Readonly<Record<string, Resource>>,
  given: Environment,
  stage: string,
): void {
  const statements = [...statementsFor(namedIn(given)), ...statementsForRing(given, stage)];
  for (const [id, { Type, Properties }] of Object.entries(resources)) {
    if (Type !== 'AWS::IAM::Role' || isPublic(id)) continue;
    (Properties as Role).Policies[0]?.PolicyDocument.Statement.push(...statements);
  }
}

const ARN = `arn:\${AWS::Partition}`;
const HERE = `\${AWS::Region}:\${AWS::AccountId}`;

const sub = (text: string) => ({ 'Fn::Sub': text });

/** The name in the ARN of a parameter: `/name:3` and `/name:label` are versions of one. */
const arnNameOf = (name: string): string => name.replace(/^\//, '').replace(/:[\w.-]+$/, '');

function statementsFor(named: readonly (readonly [variable: string, text: string])[]): object[] {
  const names = named.map(([, text]) => text).filter((text) => sourceOf(text) !== 'kms');
  if (names.length === 0) return [];
  const parameters = [...new Set(names.map(parameterOf))];
  const prefix = '/aws/reference/secretsmanager/';
  const secrets = parameters
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
  return [
    {
      Sid: 'NamedParameters',
      Effect: 'Allow',
      Action: 'ssm:GetParameters',
      Resource: [...new Set(parameters.map(arnNameOf))].map((name) =>
        sub(`${ARN}:ssm:${HERE}:parameter/${name}`),
      ),
    },
    ...(secrets.length > 0
      ? [
          {
            Sid: 'NamedSecrets',
            Effect: 'Allow',
            Action: 'secretsmanager:GetSecretValue',
            Resource: secrets.map((name) => sub(`${ARN}:secretsmanager:${HERE}:secret:${name}-??????`)),
          },
        ]
      : []),
    {
      Sid: 'NamedValuesKey',
      Effect: 'Allow',
      Action: 'kms:Decrypt',
      Resource: sub(`${ARN}:kms:${HERE}:key/*`),
      // By these services alone: what else the key has encrypted stays closed.
      Condition: {
        StringEquals: {
          'kms:ViaService': ['ssm', 'secretsmanager'].map((each) =>
            sub(`${each}.\${AWS::Region}.\${AWS::URLSuffix}`),
          ),
        },
      },
    },
  ];
}

const conditionsOf = (context: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(context).map(([name, value]) => [`kms:EncryptionContext:${name}`, value]),
  );

/** Lets functions decrypt a ring that KMS has encrypted for this stage. Only operators encrypt one. */
function statementsForRing({ Sealing__KmsKey: key }: Environment, stage: string): object[] {
  if (key === undefined || key === '') return [];
  return [
    {
      Sid: 'SealingKeys',
      Effect: 'Allow',
      Action: 'kms:Decrypt',
      Resource: key,
      // What else the key has encrypted, and the rings of other stages, stay closed.
      Condition: { StringEquals: conditionsOf(encryptionContext(stage)) },
    },
  ];
}
