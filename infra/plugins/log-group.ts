import { logicalPrefix } from '../resources.ts';
import { type Framework, placeOf } from './framework.ts';

const LOG_GROUP = 'AWS::Logs::LogGroup';

/**
 * Has all functions of the service write to one log group. The framework makes one for each, and a stack holds 500
 * resources. The names of the streams begin with that of their function.
 */
export function shareLogGroup({ service: { functions, provider } }: Framework): void {
  const resources = provider.compiledCloudFormationTemplate?.Resources ?? {};
  const groups = Object.entries(resources).filter(([, { Type }]) => Type === LOG_GROUP);
  const [first] = Object.entries(functions);
  const [, ofFirst] = groups[0] ?? [];
  if (!first || !ofFirst) return;
  const { service } = placeOf(...first);
  const id = `${logicalPrefix(service)}LogGroup`;
  const replaced = new Set(groups.map(([name]) => name));
  for (const name of replaced) delete resources[name];
  const LogGroupName = `/aws/lambda/sinete-${provider.stage}-${service}`;
  resources[id] = { ...ofFirst, Properties: { ...ofFirst.Properties, LogGroupName } };
  for (const resource of Object.values(resources)) {
    if (resource.DependsOn === undefined) continue;
    const names = [resource.DependsOn].flat().map((name) => (replaced.has(name) ? id : name));
    resource.DependsOn = [...new Set(names)];
    if (resource.Type === 'AWS::Lambda::Function')
      resource.Properties = { ...resource.Properties, LoggingConfig: { LogGroup: { Ref: id } } };
  }
}
