export const TableName = 'accounts';
export const ACCOUNTS = ['a', 'b', 'c', 'd', 'e'];
export const BALANCE = 100;
