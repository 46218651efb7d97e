{{- define "concord.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{/* Takes (dict "root" $ "role" "api"). */}}
{{- define "concord.selector" -}}
app.kubernetes.io/name: concord
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{- define "concord.labels" -}}
{{ include "concord.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* The Deployment of a role. Takes (dict "root" $ "role" "api"). */}}
{{- define "concord.deployment" -}}
{{- $values := .root.Values -}}
{{- $own := index $values .role -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "concord.name" .root }}-{{ .role }}
  labels: {{- include "concord.labels" . | nindent 4 }}
spec:
  {{- if not $own.autoscaling.enabled }}
  replicas: {{ $own.replicas }}
  {{- end }}
  strategy:
    type: {{ $values.updateStrategy }}
    {{- if eq $values.updateStrategy "RollingUpdate" }}
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
    {{- end }}
  selector:
    matchLabels: {{- include "concord.selector" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "concord.labels" . | nindent 8 }}
    spec:
      # Concord does not talk to Kubernetes.
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        seccompProfile: { type: RuntimeDefault }
      {{- with $values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "concord.selector" . | nindent 14 }}
      containers:
        - name: concord
          image: {{ printf "%s:%s" $values.image.repository ($values.image.tag | default .root.Chart.AppVersion) | quote }}
          imagePullPolicy: {{ $values.image.pullPolicy }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          env:
            - { name: CONCORD_ROLE, value: {{ .role }} }
            # Each pod is one process.
            - { name: CONCORD_WORKERS, value: '0' }
            - { name: CONCORD_BASE_URL, value: {{ required "baseUrl is required, such as https://concord.example.com" $values.baseUrl | quote }} }
            {{- with $values.ingress.trustedProxies }}
            - { name: CONCORD_TRUSTED_PROXIES, value: {{ join "," . | quote }} }
            {{- end }}
            {{- if $values.metrics.enabled }}
            - { name: CONCORD_METRICS_HOST, value: 0.0.0.0 }
            - { name: CONCORD_METRICS_PORT, value: {{ $values.metrics.port | quote }} }
            {{- end }}
            {{- with $values.tracing.endpoint }}
            - { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }} }
            {{- range $name, $value := $values.tracing.settings }}
            - { name: {{ $name }}, value: {{ $value | quote }} }
            {{- end }}
            {{- end }}
            {{- range $name, $key := $values.secret.keys }}
            - { name: {{ $name }}_FILE, value: /run/secrets/concord/{{ $key }} }
            {{- end }}
            {{- range $name, $value := $values.settings }}
            - { name: {{ $name }}, value: {{ $value | quote }} }
            {{- end }}
          ports:
            - { name: http, containerPort: 3000 }
            {{- if $values.metrics.enabled }}
            - { name: metrics, containerPort: {{ $values.metrics.port }} }
            {{- end }}
          {{- if eq .role "api" }}
          # Proxies learn of a stop only after it has begun. Until then they send requests, which must find the port open.
          lifecycle: { preStop: { exec: { command: [sleep, '5'] } } }
          {{- end }}
          startupProbe:
            httpGet: { path: /health/live, port: http }
            periodSeconds: 5
            failureThreshold: {{ mul $values.startMinutes 12 }}
          livenessProbe:
            httpGet: { path: /health/live, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /health/ready, port: http }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          resources: {{- toYaml $own.resources | nindent 12 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            - { name: data, mountPath: /data }
            - { name: secrets, mountPath: /run/secrets/concord, readOnly: true }
      volumes:
        - name: tmp
          emptyDir: { medium: Memory, sizeLimit: 256Mi }
        - name: data
          emptyDir: { sizeLimit: 256Mi }
        - name: secrets
          secret:
            secretName: {{ required "secret.name is required: the Secret with the URL of the database and CONCORD_SECRETS" $values.secret.name }}
            defaultMode: 0440
            items:
              {{- range $name, $key := $values.secret.keys }}
              - { key: {{ $key }}, path: {{ $key }} }
              {{- end }}
{{- end -}}

{{/* Takes (dict "root" $ "role" "api"). */}}
{{- define "concord.disruption-and-scale" -}}
{{- $own := index .root.Values .role -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "concord.name" .root }}-{{ .role }}
  labels: {{- include "concord.labels" . | nindent 4 }}
spec:
  {{- toYaml $own.podDisruptionBudget | nindent 2 }}
  selector:
    matchLabels: {{- include "concord.selector" . | nindent 6 }}
{{- if $own.autoscaling.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "concord.name" .root }}-{{ .role }}
  labels: {{- include "concord.labels" . | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "concord.name" .root }}-{{ .role }}
  minReplicas: {{ $own.autoscaling.minReplicas }}
  maxReplicas: {{ $own.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ $own.autoscaling.targetCPUUtilizationPercentage }} }
{{- end }}
{{- end -}}
