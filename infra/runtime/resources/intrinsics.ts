// The few functions of CloudFormation that our YAML uses, resolved without CloudFormation.
import type { Resource } from '../../resources.ts';

export type Names = { stage: string; account: string; region: string };

/** Replaces every function and variable in a value by what it means on this stage. */
export function resolver(names: Names, resources: Map<string, Resource>): (value: unknown) => unknown {
  const pseudo: Record<string, string> = {
    'AWS::AccountId': names.account,
    'AWS::Region': names.region,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
  };
  const functions: Record<string, (argument: unknown) => unknown> = {
    Ref: (id) => reference(String(id)),
    'Fn::GetAtt': (path) => attribute(Array.isArray(path) ? path.join('.') : String(path)),
    'Fn::Sub': (argument) => {
      const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
      return substituted(String(resolve(text)), resolve(variables) as Record<string, unknown>);
    },
    'Fn::Join': (argument) => {
      const [separator, parts] = resolve(argument) as [string, unknown[]];
      return parts.join(separator);
    },
  };

  function resolve(value: unknown): unknown {
    if (typeof value === 'string') return value.replaceAll(/\$\{sls:stage\}/g, names.stage);
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [name, argument] = entries[0] ?? [];
    if (entries.length === 1 && name !== undefined && (name === 'Ref' || name.startsWith('Fn::'))) {
      const known = functions[name];
      if (!known)
        throw new Error(`infra: ${name} is not understood here; use Ref, Fn::Sub, Fn::GetAtt or Fn::Join`);
      return known(argument);
    }
    return Object.fromEntries(entries.map(([key, inner]) => [key, resolve(inner)]));
  }

  // ${Name} is a reference, ${Name.Arn} an attribute, ${!literal} stays.
  const substituted = (text: string, variables: Record<string, unknown>) =>
    text.replace(/\$\{(!?)([^}]+)\}/g, (_match, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (name in variables) return String(variables[name]);
      return name.includes('.') ? attribute(name) : reference(name);
    });

  const reference = (id: string): string => pseudo[id] ?? physicalName(id);

  function attribute(path: string): string {
    const [id = '', name] = path.split('.');
    if (name !== 'Arn') throw new Error(`infra: ${path} is not understood here; only .Arn is`);
    const where = `${names.region}:${names.account}`;
    switch (resources.get(id)?.Type) {
      case 'AWS::S3::Bucket':
        return `arn:aws:s3:::${physicalName(id)}`;
      case 'AWS::DynamoDB::Table':
        return `arn:aws:dynamodb:${where}:table/${physicalName(id)}`;
      default:
        return `arn:aws:sqs:${where}:${physicalName(id)}`;
    }
  }

  function physicalName(id: string): string {
    const { QueueName, TableName, BucketName } = resources.get(id)?.Properties ?? {};
    const name = resolve(QueueName ?? TableName ?? BucketName);
    if (typeof name !== 'string') throw new Error(`infra: ${id} is not a table, bucket or queue with a name`);
    return name;
  }

  return resolve;
}
