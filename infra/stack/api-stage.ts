import { createHash } from 'node:crypto';
import { logicalPrefix } from '../resources.ts';
import { changeProperties, ofType, type Stack } from './template.ts';

export const STAGE_ID = 'ApiGatewayStage';

// One line of JSON a call. The path is that of the route: a path or a query of a caller may have a secret of a link, and no
// body is logged at all. `requestId` is the field `gatewayRequestId` of the functions' own lines, in the same log group.
// API Gateway writes `-` for what a call does not have, which is no JSON without quotes. Every call has the numbers.
const FORMAT = JSON.stringify({
  access: 'api',
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  bytes: '$context.responseLength',
  ms: '$context.responseLatency',
  functionMs: '$context.integration.latency',
  functionStatus: '$context.integration.status',
  gatewayAnswer: '$context.error.responseType',
}).replace(/"(\$context\.(?:requestTimeEpoch|status|responseLength|responseLatency))"/g, '$1');

// The same for an event of a connection: `connectionId` joins those of one. Nothing of a message is logged.
const SOCKET_FORMAT = JSON.stringify({
  access: 'socket',
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  ip: '$context.identity.sourceIp',
  connectionId: '$context.connectionId',
  route: '$context.routeKey',
  status: '$context.status',
  functionMs: '$context.integration.latency',
  functionStatus: '$context.integration.status',
  gatewayAnswer: '$context.error.responseType',
});

const logOf = (service: string, Format: string) => {
  const group = `\${${logicalPrefix(service)}LogGroup}`;
  return {
    DestinationArn: {
      'Fn::Sub': `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:${group}`,
    },
    Format,
  };
};

/** Gives the stage of a WebSocket API an access log. The framework's own has a group and a text format of its own. */
export function addSocketLog({ service, resources }: Stack): void {
  for (const [, stage] of ofType(resources, 'AWS::ApiGatewayV2::Stage'))
    changeProperties(stage, { AccessLogSettings: logOf(service, SOCKET_FORMAT) });
}

/**
 * Makes the API's stage a resource of its own, with an access log. The framework has its deployment make the stage, which
 * then has neither a log nor a name that other resources can wait for.
 */
export function addApiStage({ service, stage, resources }: Stack): void {
  const [found] = ofType(resources, 'AWS::ApiGateway::Deployment');
  if (!found) return;
  const [id, deployment] = found;
  const { StageName: _, ...properties } = deployment.Properties ?? {};
  delete resources[id];
  const deploymentId = `ApiGatewayDeployment${hashOfApi(resources)}`;
  resources[deploymentId] = { ...deployment, Properties: properties };
  resources[STAGE_ID] = {
    Type: 'AWS::ApiGateway::Stage',
    Properties: {
      RestApiId: { Ref: 'ApiGatewayRestApi' },
      DeploymentId: { Ref: deploymentId },
      StageName: stage,
      AccessLogSetting: logOf(service, FORMAT),
    },
  };
}

/** A deployment is a picture of the API: another API needs another one, and the same API none. */
function hashOfApi(resources: Stack['resources']): string {
  const api = Object.entries(resources).filter(
    ([id, { Type }]) => Type.startsWith('AWS::ApiGateway::') && id !== STAGE_ID,
  );
  return createHash('sha256')
    .update(JSON.stringify(api.toSorted(([one], [other]) => (one < other ? -1 : 1))))
    .digest('hex')
    .slice(0, 12);
}

/** Puts the web ACL of the account before the API. */
export function addWebAcl({ stage, resources }: Stack, arn: string): void {
  resources.WebAclAssociation = {
    Type: 'AWS::WAFv2::WebACLAssociation',
    DependsOn: STAGE_ID,
    Properties: {
      WebACLArn: arn,
      ResourceArn: {
        'Fn::Sub': `arn:\${AWS::Partition}:apigateway:\${AWS::Region}::/restapis/\${ApiGatewayRestApi}/stages/${stage}`,
      },
    },
  };
}
