import { parentPort } from "node:worker_threads";
import { checkCss } from "../rules/check-css.ts";
import { InlineFailure } from "../rules/inline-failure.ts";
import { htmlToText } from "./html-to-text.ts";
import { inlineCss } from "./inline-css.ts";
import type { InlineJob, InlineReply } from "./inline-job.ts";

// Entry point of the worker. It does one job at a time, with a message "started" and one reply for each.
parentPort?.on("message", (job: InlineJob) => {
  parentPort?.postMessage("started");
  parentPort?.postMessage(replyTo(job));
});

function replyTo(job: InlineJob): InlineReply {
  try {
    return { ok: true, output: perform(job) };
  } catch (error) {
    if (error instanceof InlineFailure) {
      const { reason, message, line, column } = error;
      return { ok: false, reason, message, line, column };
    }
    // Any error, such as a RangeError from a parser's recursion, is the fault of the input, not of the process.
    return { ok: false, reason: "failed", message: `The content could not be processed: ${String(error)}` };
  }
}

function perform(job: InlineJob): string {
  switch (job.kind) {
    case "inline":
      return inlineCss(job.html, job.css);
    case "check":
      checkCss(job.css);
      return "";
    case "text":
      return htmlToText(job.html);
  }
}
