/** Whether a line of the contract acts on a workspace. */
export function actsOnWorkspace(signature: string): boolean {
  return /^\w+ \/(workspaces\/current|emails|attachments)\b/.test(signature);
}
