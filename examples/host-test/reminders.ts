import type { Posthorn } from "@posthorn/core";

/** Code of a host: reminds a person of an appointment, a day ahead. */
export async function remindOf(
  appointment: { at: Date; with: string; address: string },
  { posthorn, workspaceId }: { posthorn: Posthorn; workspaceId: number },
): Promise<{ emailId: string }> {
  const dayBefore = new Date(appointment.at.getTime() - 24 * 60 * 60 * 1000);
  const { id } = await posthorn.emails.send(
    {
      to: [appointment.address],
      subject: `Tomorrow: ${appointment.with}`,
      text: `You meet ${appointment.with} at ${appointment.at.toISOString()}.`,
      scheduledAt: dayBefore.toISOString(),
    },
    { workspaceId },
  );
  return { emailId: id };
}
