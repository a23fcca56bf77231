/** Prometheus' text format 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
