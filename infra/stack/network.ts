import { changeProperties, isPublicRole, ofType, permit, type Stack } from './template.ts';

type Network = { readonly subnets: string; readonly securityGroups: string };

/** Puts the functions into a network of the account. Public functions reach nothing, and stay outside. */
export function enterNetwork({ resources }: Stack, { subnets, securityGroups }: Network): void {
  for (const [, fn] of ofType(resources, 'AWS::Lambda::Function')) {
    const { 'Fn::GetAtt': [role = ''] = [] } = (fn.Properties?.Role ?? {}) as { 'Fn::GetAtt'?: string[] };
    if (isPublicRole(role)) continue;
    changeProperties(fn, {
      VpcConfig: { SubnetIds: subnets.split(','), SecurityGroupIds: securityGroups.split(',') },
    });
  }
  permit(resources, {
    Sid: 'OwnNetworkInterfaces',
    Effect: 'Allow',
    // Lambda makes them by the function's role, and EC2 has no names for those that are not there yet.
    Action: [
      'ec2:CreateNetworkInterface',
      'ec2:DescribeNetworkInterfaces',
      'ec2:DescribeSubnets',
      'ec2:DeleteNetworkInterface',
      'ec2:AssignPrivateIpAddresses',
      'ec2:UnassignPrivateIpAddresses',
    ],
    Resource: '*',
  });
}
