// What the parameters change in a packaged template.

export type StackResource = {
  Type: string;
  Properties?: Record<string, unknown>;
  DependsOn?: string | string[];
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  UpdatePolicy?: Record<string, unknown>;
};
export type StackResources = Record<string, StackResource>;

/** The stack that is packaged. */
export type Stack = { readonly service: string; readonly stage: string; readonly resources: StackResources };

export const ofType = (resources: StackResources, type: string): [id: string, StackResource][] =>
  Object.entries(resources).filter(([, { Type }]) => Type === type);

export const changeProperties = (resource: StackResource, change: Record<string, unknown>): void => {
  resource.Properties = { ...resource.Properties, ...change };
};

/** A public function reaches no store. */
export const isPublicRole = (id: string): boolean => id.endsWith('PublicRole');

type Role = {
  AssumeRolePolicyDocument: unknown;
  Policies: { PolicyDocument: { Statement: object[] } }[];
};

/** Adds a statement to the roles of functions, without the public one. */
export function permit(resources: StackResources, statement: object): void {
  for (const [id, { Properties }] of ofType(resources, 'AWS::IAM::Role')) {
    const { AssumeRolePolicyDocument: takenBy, Policies } = Properties as Role;
    if (isPublicRole(id) || !JSON.stringify(takenBy).includes('lambda.amazonaws.com')) continue;
    Policies[0]?.PolicyDocument.Statement.push(statement);
  }
}
